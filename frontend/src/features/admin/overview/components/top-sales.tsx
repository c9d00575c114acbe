import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { TopSales } from '@/api/types';
import { formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { ProductPicture } from '@/ui/product-picture';
import { useGetTopSalesQuery } from '../api';
import { messages } from '../messages';
import { change } from '../periods';
import { Change } from './change';
import { SectionCard } from './section-card';

const { top: text } = messages;

/** The orders of the period that a word finds, whatever became of them. */
const ordersWith = (q: string, { from, to }: TopSales) =>
  `${paths.orders}?${new URLSearchParams({ q, state: 'all', from, to })}`;

interface EntryProps {
  /** Who or what it is. */
  name: string;
  to: string;
  picture?: ReactNode;
  note: string;
  orders: { to: string; count: number };
  sales: number;
  salesBefore: number;
  /** How much of the best one's sales these are, from 0 to 1. */
  share: number;
}

function Entry({ name, to, picture, note, orders, sales, salesBefore, share }: EntryProps) {
  const changed = change(sales, salesBefore);
  return (
    <li className="flex items-start gap-4 py-3 first:pt-0 last:pb-0">
      {picture}
      <div className="grid min-w-0 flex-1 gap-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <Link to={to} className="font-semibold break-words hover:text-accent hover:underline">
            {name}
          </Link>
          <strong className="whitespace-nowrap">{formatMoney(sales)}</strong>
        </div>
        <svg aria-hidden="true" width="100%" height="6" className="block">
          <rect width="100%" height="6" className="fill-base-300" />
          <rect width={`${100 * share}%`} height="6" className="fill-primary" />
        </svg>
        <div className="flex flex-wrap items-center justify-between gap-x-4 text-sm text-muted">
          <span className="min-w-0 break-words">
            {note}
            <Link to={orders.to} className="link-accent inline-flex min-h-7 items-center">
              {text.orders(orders.count)}
              <span className="sr-only"> {text.ordersOf(name)}</span>
            </Link>
          </span>
          {changed === null ? <span>{text.noneBefore}</span> : <Change percent={changed} />}
        </div>
      </div>
    </li>
  );
}

function Entries({
  entries,
}: {
  entries: readonly (Omit<EntryProps, 'share'> & { id: string })[];
}) {
  if (entries.length === 0) {
    return (
      <p className="grid min-h-40 place-content-center text-center text-muted">{text.empty}</p>
    );
  }
  const best = entries[0]?.sales ?? 0;
  return (
    <ol className="divide-y divide-base-300">
      {entries.map(({ id, ...entry }) => (
        <Entry key={id} {...entry} share={best > 0 ? entry.sales / best : 0} />
      ))}
    </ol>
  );
}

/** What sold best, and who bought most, of the orders that were placed in these days. */
export function TopSalesCards({ days }: { days: number }) {
  const answer = useGetTopSalesQuery(days, { refetchOnMountOrArgChange: true });
  return (
    <>
      <SectionCard
        id="top-products"
        title={text.products}
        note={text.note(days)}
        loading={text.loadingProducts}
        failed={text.productsFailed}
        answer={answer}
      >
        {(top) => (
          <Entries
            entries={top.products.map((one) => ({
              id: one.productId,
              name: one.name,
              to: paths.product(one.productId),
              picture: (
                <div className="w-12 shrink-0">
                  <ProductPicture img={one.img} alt="" sizes="3rem" className="rounded-field" />
                </div>
              ),
              note: text.units(one.partNumber, one.units),
              orders: { to: ordersWith(one.partNumber ?? one.name, top), count: one.orders },
              sales: one.sales,
              salesBefore: one.salesBefore,
            }))}
          />
        )}
      </SectionCard>
      <SectionCard
        id="top-customers"
        title={text.customers}
        note={text.note(days)}
        loading={text.loadingCustomers}
        failed={text.customersFailed}
        answer={answer}
      >
        {(top) => (
          <Entries
            entries={top.customers.map((one) => ({
              id: one.email,
              name: one.displayName,
              to: paths.customer(one.email),
              note: text.email(one.email),
              orders: { to: ordersWith(one.email, top), count: one.orders },
              sales: one.sales,
              salesBefore: one.salesBefore,
            }))}
          />
        )}
      </SectionCard>
    </>
  );
}
