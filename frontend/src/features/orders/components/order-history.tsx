import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import type { OrderEvent } from '@/api/types';
import { formatCount, formatMoney } from '@/lib/money';
import { Skeleton } from '@/ui/skeleton';
import { ErrorState } from '@/ui/states';
import { useGetOrderEventsQuery } from '../api';
import { formatMoment } from '../facts';

function sentence(event: OrderEvent): string {
  switch (event.what) {
    case 'ordered':
      return event.quantity && event.price
        ? `Ordered: ${formatCount(event.quantity)} for ${formatMoney(event.price)}`
        : 'Ordered';
    case 'paid':
      return event.transactionId ? `Paid, transaction ${event.transactionId}` : 'Paid';
    case 'shipped':
      return event.onAccount ? 'Shipped, approved on account' : 'Shipped';
    case 'cancelled':
      return 'Cancelled';
    case 'refunded':
      return 'Refunded';
  }
}

function Events({ id }: { id: string }) {
  const { data, error, isError, isFetching, refetch } = useGetOrderEventsQuery(id);
  if (data) {
    return (
      <ol className="grid gap-3 border-l-2 border-base-300 py-1 pl-4">
        {data.map((event) => (
          <li key={event._id}>
            <p className="font-semibold break-words">{sentence(event)}</p>
            <p className="text-sm break-words text-muted">
              <time dateTime={event.when}>{formatMoment(event.when)}</time>, {event.who}
            </p>
          </li>
        ))}
      </ol>
    );
  }
  if (isError && !isFetching) {
    return <ErrorState title="The history did not load" error={error} onRetry={refetch} />;
  }
  return (
    <div role="status" aria-label="Loading history" className="grid gap-3 pl-4">
      <Skeleton className="h-4 w-56" />
      <Skeleton className="h-4 w-40" />
    </div>
  );
}

/** What happened to an order, asked for when somebody opens it. */
export function OrderHistory({ id }: { id: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} className="group">
      <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-2 font-semibold text-muted hover:text-base-content [&::-webkit-details-marker]:hidden">
        <ChevronDown
          aria-hidden="true"
          className="size-4 transition-transform group-open:rotate-180"
        />
        History
      </summary>
      {open && (
        <div className="mt-1">
          <Events id={id} />
        </div>
      )}
    </details>
  );
}
