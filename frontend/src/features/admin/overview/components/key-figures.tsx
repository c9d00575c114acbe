import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Overview } from '@/api/types';
import { formatBigMoney, formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { messages } from '../messages';
import { change, type Period } from '../periods';
import { Change } from './change';

const { figures: text } = messages;

export const figureGrid = 'grid grid-cols-2 gap-4 md:grid-cols-3';

interface Figure {
  name: string;
  value: string;
  note: string;
  to?: string;
  /** Against the days before, in percent. */
  changed?: number | null;
}

/** A link whose whole tile can be pressed. A place on this page is the browser's business, not the router's. */
function More({ to, children }: { to: string; children: string }) {
  const className =
    'link-accent inline-flex items-center gap-1.5 text-sm after:absolute after:inset-0 after:rounded-box';
  const content = (
    <>
      {children}
      <ArrowRight aria-hidden="true" className="size-4 shrink-0" />
    </>
  );
  return to.startsWith('#') ? (
    <a href={to} className={className}>
      {content}
    </a>
  ) : (
    <Link to={to} className={className}>
      {content}
    </Link>
  );
}

interface KeyFiguresProps {
  overview: Overview;
  now: Period;
  before: Period;
}

/** What an admin wants to know first: what came in, and what waits. */
export function KeyFigures({ overview, now, before }: KeyFiguresProps) {
  const { states, lowStock } = overview;
  const count = now.days.length;
  const figures: Figure[] = [
    {
      name: text.revenue,
      value: formatBigMoney(now.revenue),
      note: text.revenueNote(count, now.returned > 0 ? formatMoney(now.returned) : null),
      changed: change(now.revenue, before.revenue),
    },
    {
      name: text.orders,
      value: formatCount(now.orders),
      note: text.ordersNote(count),
      to: `${paths.orders}?from=${now.days[0]?.day}`,
      changed: change(now.orders, before.orders),
    },
    {
      name: text.average,
      value: now.average === null ? text.noAverage : formatBigMoney(now.average),
      note: text.averageNote(count),
      changed: change(now.average, before.average),
    },
    {
      name: text.waiting,
      value: formatCount(states.waiting),
      note: text.waitingLink,
      to: `${paths.orders}?state=waiting`,
    },
    {
      name: text.unpaid,
      value: formatCount(states.unpaid),
      note: text.unpaidLink,
      to: `${paths.orders}?state=unpaid`,
    },
    {
      name: text.lowStock,
      // The shop names ten at most.
      value: lowStock.length < 10 ? formatCount(lowStock.length) : text.tenOrMore,
      note: text.lowStockLink,
      to: '#low-stock',
    },
  ];
  return (
    <dl className={figureGrid}>
      {figures.map(({ name, value, note, to, changed = null }) => (
        <div
          key={name}
          className="card-surface relative grid min-w-0 content-start gap-2 border-t-4 border-t-primary p-4"
        >
          <dt className="text-sm font-semibold text-muted">{name}</dt>
          <dd className="grid gap-1">
            <strong className="font-display text-2xl leading-none break-words sm:text-4xl">
              {value}
            </strong>
            {changed !== null && <Change percent={changed} />}
            {to ? <More to={to}>{note}</More> : <span className="text-sm text-muted">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
