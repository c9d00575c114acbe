import { Suspense } from 'react';
import { Link } from 'react-router-dom';
import type { Order, OrderReturn } from '@/api/types';
import { formatDay } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { retryingLazy } from '@/lib/retrying-lazy';
import { ErrorState } from '@/ui/error-state';
import { Skeleton } from '@/ui/skeleton';
import { useListOrderReturnsQuery } from '../api';
import { messages } from '../messages';
import { RequestReturn } from './request-return';
import { ReturnItem } from './return-item';

const DecideReturn = retryingLazy(
  () =>
    import(
      /* webpackChunkName: "admin-order" */ '@/features/admin/returns/components/decide-return'
    ),
);

/** How many units have not come back. */
function unitsLeft(order: Order, returns: readonly OrderReturn[]): number {
  const accepted = returns.filter(({ state }) => state === 'accepted');
  return accepted.reduce((left, { units }) => left - units, order.quantity);
}

interface OrderReturnsProps {
  order: Order;
  own: boolean;
  admin: boolean;
  className: string;
  onDone: (said: string) => void;
}

interface ContentProps extends OrderReturnsProps {
  returns: OrderReturn[];
  onRefused: () => void;
}

function Content({ order, own, admin, onDone, onRefused, returns }: ContentProps) {
  const open = returns.some(({ state }) => state === 'requested');
  const left = unitsLeft(order, returns);
  const until = order.returnableUntil;
  const asksForMore = own && !open && left > 0 && until !== null && Date.parse(until) > Date.now();
  return (
    <>
      {returns.length > 0 && (
        <ul className="grid gap-5">
          {returns.map((asked) => (
            <ReturnItem key={asked._id} asked={asked} admin={admin}>
              {admin && asked.state === 'requested' && (
                <Suspense fallback={<Skeleton className="h-11 w-full" />}>
                  <DecideReturn order={order} asked={asked} onDone={onDone} onRefused={onRefused} />
                </Suspense>
              )}
            </ReturnItem>
          ))}
        </ul>
      )}
      {own && open && (
        <p className="text-sm text-muted">
          {messages.open}{' '}
          <Link className="link-accent" to={paths.contact}>
            {messages.contact}
          </Link>
        </p>
      )}
      {asksForMore && (
        <>
          <p className="text-sm text-muted">{messages.until(formatDay(until))}</p>
          <RequestReturn order={order} most={left} onDone={onDone} onRefused={onRefused} />
        </>
      )}
    </>
  );
}

/** The returns of a shipped order, and the way to ask for one. Nothing where there is neither. */
export default function OrderReturns(props: OrderReturnsProps) {
  const { order, own, className } = props;
  const { data, error, isError, isFetching, refetch } = useListOrderReturnsQuery(order._id);
  const until = order.returnableUntil;
  const returnable = own && until !== null && Date.parse(until) > Date.now();
  if (data?.length === 0 && !returnable) return null;
  return (
    <section aria-labelledby="returns" className={`${className} print:hidden`}>
      <h2 id="returns" className="text-2xl">
        {messages.heading}
      </h2>
      {data ? (
        <Content {...props} returns={data} onRefused={refetch} />
      ) : isError && !isFetching ? (
        <ErrorState title={messages.failed} error={error} onRetry={refetch} />
      ) : (
        <div role="status" aria-label={messages.loading}>
          <Skeleton className="h-16 w-full" />
        </div>
      )}
    </section>
  );
}
