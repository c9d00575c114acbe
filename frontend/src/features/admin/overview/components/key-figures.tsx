import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Overview } from '@/api/types';
import { formatBigMoney, formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { messages } from '../messages';

const { figures: text } = messages;

/** The first figure is the longest. */
export const figureGrid = 'grid grid-cols-2 gap-4 xl:grid-cols-[1.7fr_1fr_1fr_1fr_1fr]';

interface Figure {
  name: string;
  value: string;
  note: string;
  to?: string;
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

/** What an admin wants to know first: what came in, and what waits. */
export function KeyFigures({ overview }: { overview: Overview }) {
  const { revenue, returned, orders, states, days, lowStock } = overview;
  const figures: Figure[] = [
    {
      name: text.revenue,
      value: formatBigMoney(revenue),
      note: text.revenueNote(days.length, returned > 0 ? formatMoney(returned) : null),
    },
    { name: text.orders, value: formatCount(orders), note: text.ordersNote(days.length) },
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
      {figures.map(({ name, value, note, to }) => (
        <div
          key={name}
          className="card-surface relative grid min-w-0 content-start gap-2 border-t-4 border-t-primary p-4 first:max-xl:col-span-2"
        >
          <dt className="text-sm font-semibold text-muted">{name}</dt>
          <dd className="grid gap-1">
            <strong className="font-display text-4xl leading-none break-words">{value}</strong>
            {to ? <More to={to}>{note}</More> : <span className="text-sm text-muted">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
