import { type PointerEvent, useRef, useState } from 'react';
import type { Overview } from '@/api/types';
import { formatCount, formatMoney } from '@/lib/money';
import { PlainTable } from '@/ui/plain-table';
import { formatUtcDay } from '../days';
import { messages } from '../messages';
import { linesFor, namedDays } from '../scale';
import { ChartFigure } from './chart-figure';

const { revenue: text } = messages;

type Day = Overview['days'][number];

const axisMoney = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
});

/* The drawing is as wide as its box, in percent, and this high, in pixels: text keeps its size at any width. */
const HEIGHT = 240;
const TOP = 10;
const BASE = 210;
/** A day without revenue still has a mark. */
const STUB = 2;

function summaryOf(days: readonly Day[]): string {
  const [first, last] = [days[0], days.at(-1)];
  const best = days.reduce<Day | undefined>(
    (before, day) => (before && before.revenue >= day.revenue ? before : day),
    undefined,
  );
  if (!first || !last || !best) return text.noBars;
  const total = days.reduce((sum, day) => sum + day.revenue, 0);
  return text.bars({
    days: days.length,
    first: formatUtcDay(first.day, 'full'),
    last: formatUtcDay(last.day, 'full'),
    total: formatMoney(total),
    bestDay: formatUtcDay(best.day, 'full'),
    best: formatMoney(best.revenue),
  });
}

interface ChartProps {
  days: readonly Day[];
  /** The place of the day that is picked. */
  at: number;
}

function fillOf(revenue: number): string {
  if (revenue > 0) return 'fill-secondary';
  return revenue < 0 ? 'fill-error' : 'fill-edge';
}

/** The names of days below the bars; of many days the last one stands at the end of the line. */
function DayLabels({ days }: { days: readonly Day[] }) {
  const many = days.length > 7;
  return namedDays(days.length).map((place) => {
    const day = days[place];
    const atEnd = many && place === days.length - 1;
    return day ? (
      <text
        key={place}
        x={atEnd ? '100%' : `${(place + 0.5) * (100 / days.length)}%`}
        y={HEIGHT - 6}
        textAnchor={atEnd ? 'end' : 'middle'}
        className="fill-muted text-xs"
      >
        {formatUtcDay(day.day, many ? 'short' : 'weekday')}
      </text>
    ) : null;
  });
}

/** A line and its amount for each step of the scale. */
function Scale({ lines, yOf }: { lines: readonly number[]; yOf: (revenue: number) => number }) {
  return lines.map((value) => (
    <g key={value}>
      <line
        x1="0"
        x2="100%"
        y1={yOf(value)}
        y2={yOf(value)}
        className={value === 0 ? 'stroke-edge' : 'stroke-base-300'}
      />
      <text x={-10} y={yOf(value)} dy="0.32em" textAnchor="end" className="fill-muted text-xs">
        {axisMoney.format(value)}
      </text>
    </g>
  ));
}

function Drawing({ days, at }: ChartProps) {
  const lines = linesFor(Math.max(...days.map(({ revenue }) => revenue)));
  const highest = lines.at(-1) ?? 1;
  const yOf = (revenue: number) => BASE - (revenue / highest) * (BASE - TOP);
  const slot = 100 / days.length;
  const xOf = (place: number) => `${place * slot}%`;
  return (
    <svg
      role="img"
      aria-label={summaryOf(days)}
      width="100%"
      height={HEIGHT}
      className="block overflow-visible"
    >
      <rect
        x={xOf(at)}
        y={TOP - 6}
        width={`${slot}%`}
        height={BASE - TOP + 6}
        className="fill-base-200"
      />
      <Scale lines={lines} yOf={yOf} />
      {days.map(({ day, revenue }, place) => {
        const y = Math.min(yOf(revenue), BASE - STUB);
        return (
          <rect
            key={day}
            x={xOf(place + 0.14)}
            y={y}
            width={`${slot * 0.72}%`}
            height={BASE - y}
            className={place === at ? 'fill-primary' : fillOf(revenue)}
          />
        );
      })}
      <DayLabels days={days} />
    </svg>
  );
}

/** The bars, one of them picked by pointer or arrow keys, and that day's figures above them. */
function Bars({ days }: { days: readonly Day[] }) {
  const area = useRef<HTMLDivElement>(null);
  const [picked, setPicked] = useState(days.length - 1);
  const at = Math.min(picked, days.length - 1);
  const day = days[at];
  if (!day) return null;

  const pick = (event: PointerEvent) => {
    const box = area.current?.getBoundingClientRect();
    if (!box?.width) return;
    const place = Math.floor(((event.clientX - box.left) / box.width) * days.length);
    setPicked(Math.min(Math.max(place, 0), days.length - 1));
  };

  const figures = text.figures(formatMoney(day.revenue), day.orders);
  return (
    <div className="grid gap-4">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <strong className="font-display text-3xl leading-none">{formatMoney(day.revenue)}</strong>
        <span>{text.orders(day.orders)}</span>
        {day.returned > 0 && <span>{text.refunded(formatMoney(day.returned))}</span>}
        <span className="text-muted">{formatUtcDay(day.day, 'full')}</span>
      </p>
      <div
        ref={area}
        className="relative ml-12 touch-pan-y rounded-field outline-offset-4 outline-accent has-focus-visible:outline-3"
        onPointerMove={pick}
        onPointerDown={pick}
      >
        <Drawing days={days} at={at} />
        <input
          type="range"
          aria-label={text.day}
          aria-valuetext={`${formatUtcDay(day.day, 'full')}: ${figures}`}
          min={0}
          max={days.length - 1}
          step={1}
          value={at}
          onChange={(event) => setPicked(Number(event.target.value))}
          className="pointer-events-none absolute inset-0 size-full opacity-0"
        />
      </div>
    </div>
  );
}

/** Stands where the bars will be, as high as they are. */
function NoSales({ days }: { days: number }) {
  return (
    <div className="grid min-h-72 place-content-center justify-items-center gap-3 rounded-field bg-base-200 p-6 text-center">
      <div className="ticks w-40 text-edge" aria-hidden="true" />
      <p className="font-display text-3xl font-bold uppercase">{text.empty}</p>
      <p className="max-w-prose text-muted">{text.emptyHint(days)}</p>
    </div>
  );
}

export function RevenueChart({ days }: { days: readonly Day[] }) {
  return (
    <ChartFigure
      title={text.title}
      note={text.note}
      chart={
        days.some(({ paid, returned }) => paid !== 0 || returned !== 0) ? (
          <Bars days={days} />
        ) : (
          <NoSales days={days.length} />
        )
      }
      table={
        <PlainTable
          figures
          caption={text.title}
          headers={text.columns}
          rows={[...days]
            .reverse()
            .map(({ day, orders: placed, paid, returned, revenue }) => [
              formatUtcDay(day, 'full'),
              formatCount(placed),
              formatMoney(paid),
              formatMoney(returned),
              formatMoney(revenue),
            ])}
          className="h-72"
        />
      }
    />
  );
}
