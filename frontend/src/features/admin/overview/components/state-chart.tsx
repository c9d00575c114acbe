import { Link } from 'react-router-dom';
import type { Overview } from '@/api/types';
import { formatCount } from '@/lib/money';
import { paths } from '@/lib/paths';
import { cx } from '@/ui/cx';
import { PlainTable } from '@/ui/plain-table';
import { messages } from '../messages';
import { ChartFigure } from './chart-figure';

const { states: text } = messages;

interface Share {
  label: string;
  count: number;
  fill: string;
  /** The list of these orders, where the shop can list them. */
  to?: string;
}

const percent = (count: number, total: number) => `${Math.round((count / total) * 100)}%`;

/** Two shares of all orders side by side, and their names with the figures below. */
function SplitBar({ title, shares }: { title: string; shares: readonly [Share, Share] }) {
  const total = shares[0].count + shares[1].count;
  const left = (shares[0].count / total) * 100;
  const mixed = left > 0 && left < 100;
  return (
    <div className="grid gap-2.5">
      <h3 className="text-lg">{title}</h3>
      <svg
        role="img"
        aria-label={text.shares(
          title,
          shares.map(({ label, count }) => text.share(label, count, percent(count, total))),
        )}
        width="100%"
        height={20}
        className="block"
      >
        <rect x="0" y="0" width={`${left}%`} height="20" className={shares[0].fill} />
        <rect
          x={`${left}%`}
          y="0"
          width={`${100 - left}%`}
          height="20"
          className={shares[1].fill}
        />
        {mixed && (
          <line
            x1={`${left}%`}
            x2={`${left}%`}
            y1="0"
            y2="20"
            strokeWidth="3"
            className="stroke-surface"
          />
        )}
      </svg>
      <ul className="grid grid-cols-2 gap-4">
        {shares.map(({ label, count, fill, to }, place) => {
          const content = (
            <>
              <strong className="font-display text-3xl leading-none">{formatCount(count)}</strong>{' '}
              <span className={cx('inline-flex items-center gap-2', to && 'link-accent')}>
                <svg aria-hidden="true" width="10" height="10" className="shrink-0">
                  <rect width="10" height="10" className={fill} />
                </svg>
                {label}
              </span>
            </>
          );
          const className = cx('flex flex-col gap-1', place === 1 && 'items-end text-right');
          return (
            <li key={label}>
              {to ? (
                <Link to={to} className={cx(className, 'min-h-11')}>
                  {content}
                </Link>
              ) : (
                <div className={className}>{content}</div>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

export function StateChart({ states }: { states: Overview['states'] }) {
  const total = states.waiting + states.shipped;
  const listOf = (state: string) => `${paths.orders}?state=${state}`;
  const approval = [
    {
      label: text.waiting,
      count: states.waiting,
      fill: 'fill-warning',
      to: listOf('waiting'),
    },
    { label: text.shipped, count: states.shipped, fill: 'fill-success', to: listOf('shipped') },
  ] as const;
  const payment = [
    { label: text.unpaid, count: states.unpaid, fill: 'fill-warning', to: listOf('unpaid') },
    { label: text.paid, count: states.paid, fill: 'fill-success' },
  ] as const;
  return (
    <ChartFigure
      title={text.title}
      note={text.note(total)}
      chart={
        total > 0 ? (
          <div className="grid gap-8 md:grid-cols-2 md:gap-12">
            <SplitBar title={text.approval} shares={approval} />
            <SplitBar title={text.payment} shares={payment} />
          </div>
        ) : (
          <p className="grid min-h-40 place-content-center text-center text-muted">{text.empty}</p>
        )
      }
      table={
        <PlainTable
          figures
          caption={text.title}
          headers={text.columns}
          rows={[...approval, ...payment].map(({ label, count }) => [
            label,
            formatCount(count),
            total > 0 ? percent(count, total) : '–',
          ])}
        />
      }
    />
  );
}
