import { Check, Undo2, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { OrderEvent } from '@/api/types';
import { useUser } from '@/features/accounts/session/use-session';
import { formatTime } from '@/lib/dates';
import { cx } from '@/ui/cx';
import { ErrorState } from '@/ui/error-state';
import { Skeleton } from '@/ui/skeleton';
import { useListOrderEventsQuery } from '../api';
import { messages } from '../messages';
import { sentenceOf, stillToCome } from '../timeline';

const marks: Partial<Record<OrderEvent['what'], { icon: typeof Check; color: string }>> = {
  cancelled: { icon: X, color: 'bg-error text-error-content' },
  refunded: { icon: Undo2, color: 'bg-warning text-warning-content' },
  partly_refunded: { icon: Undo2, color: 'bg-warning text-warning-content' },
  refund_failed: { icon: X, color: 'bg-error text-error-content' },
  overpaid: { icon: Undo2, color: 'bg-warning text-warning-content' },
  disputed: { icon: X, color: 'bg-error text-error-content' },
  return_requested: { icon: Undo2, color: 'bg-warning text-warning-content' },
  return_declined: { icon: X, color: 'bg-error text-error-content' },
};
const done = { icon: Check, color: 'bg-success text-success-content' };

/** A mark on the line, and beside it what it stands for. The line goes on to the next one, if there is a next one. */
function Step({ mark, children }: { mark: ReactNode; children: ReactNode }) {
  return (
    <li className="group/step relative grid grid-cols-[1.75rem_minmax(0,1fr)] gap-3 pb-5 last:pb-0">
      <span
        aria-hidden="true"
        className="absolute top-7 bottom-0 left-3.25 w-0.5 bg-base-300 group-last/step:hidden"
      />
      {mark}
      <div className="pt-0.5">{children}</div>
    </li>
  );
}

const circle = 'relative grid size-7 place-content-center rounded-full';

/** What happened, when and by whom, and, in muted form, what is still to come. */
export function Timeline({ events }: { events: readonly OrderEvent[] }) {
  const user = useUser();
  return (
    <ol>
      {events.map((event) => {
        const { icon: Icon, color } = marks[event.what] ?? done;
        return (
          <Step
            key={event._id}
            mark={
              <span aria-hidden="true" className={cx(circle, color)}>
                <Icon className="size-4" strokeWidth={3} />
              </span>
            }
          >
            <p className="font-semibold break-words">{sentenceOf(event)}</p>
            <p className="text-sm break-words text-muted">
              <time dateTime={event.when}>{formatTime(event.when)}</time>,{' '}
              <span className="inline-block max-w-full break-words">
                {messages.history.by(event.who === user?.email ? null : event.who)}
              </span>
            </p>
          </Step>
        );
      })}
      {stillToCome(events).map((what) => (
        <Step
          key={what}
          mark={
            <span
              aria-hidden="true"
              className={cx(circle, 'border-2 border-dashed border-edge bg-base-100')}
            />
          }
        >
          <p className="text-muted">
            {what}
            <span className="block text-sm">{messages.history.pending}</span>
          </p>
        </Step>
      ))}
    </ol>
  );
}

/** The timeline of one order, asked for when it is shown. */
export function OrderTimeline({ id }: { id: string }) {
  const { data, error, isError, isFetching, refetch } = useListOrderEventsQuery(id);
  if (data) return <Timeline events={data} />;
  if (isError && !isFetching) {
    return <ErrorState title={messages.history.failed} error={error} onRetry={refetch} />;
  }
  return (
    <div role="status" aria-label={messages.history.loading} className="grid gap-5">
      {[0, 1, 2].map((place) => (
        <div key={place} className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-3">
          <Skeleton className="size-7 rounded-full" />
          <div className="grid content-start gap-2 pt-1">
            <Skeleton className="h-4 w-40" />
            <Skeleton className="h-3 w-56 max-w-full" />
          </div>
        </div>
      ))}
    </div>
  );
}
