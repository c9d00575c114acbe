import type { WebhookDelivery, WebhookEndpoint } from '@/api/types';
import { formatTime } from '@/lib/dates';
import { type Column, DataTable } from '@/ui/data-table';
import { Dialog } from '@/ui/dialog';
import { ErrorState } from '@/ui/error-state';
import { TableSkeleton } from '@/ui/table-skeleton';
import { useListSubscriptionDeliveriesQuery } from '../api';
import { SHOWN } from '../labels';
import { messages } from '../messages';
import { Latest } from './latest';

const { log: text } = messages;

/** How it stands, and the last words on it: what was answered, or why nothing was. */
function result({ state, statusCode, lastError }: WebhookDelivery): string {
  const said = state === 'sent' ? statusCode : lastError;
  return said === null ? messages.states[state] : `${messages.states[state]}: ${said}`;
}

const columns: readonly Column<WebhookDelivery>[] = [
  {
    header: text.columns.when,
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatTime(createdAt)}</time>,
    className: 'whitespace-nowrap',
  },
  {
    header: text.columns.event,
    cell: ({ topic }) => messages.topics[topic],
    className: 'whitespace-nowrap',
  },
  { header: text.columns.tries, cell: ({ attempts }) => attempts, numeric: true },
  { header: text.columns.result, cell: (delivery) => <p>{result(delivery)}</p> },
];

function Log({ subscription }: { subscription: WebhookEndpoint }) {
  const { data, error, isError, isFetching, refetch } = useListSubscriptionDeliveriesQuery(
    { id: subscription._id, limit: SHOWN },
    { refetchOnMountOrArgChange: true },
  );
  if (isError && !isFetching) {
    return <ErrorState title={text.loadFailed} error={error} onRetry={refetch} />;
  }
  if (!data) return <TableSkeleton rows={3} label={text.loading} />;
  if (data.items.length === 0) return <p>{text.empty}</p>;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <DataTable
        caption={text.caption}
        columns={columns}
        rows={data.items}
        rowKey={(delivery) => delivery._id}
      />
      <Latest page={data} />
    </div>
  );
}

/** What was sent to a subscription, and what it answered. */
export function SubscriptionLog({
  subscription,
  onClose,
}: {
  subscription: WebhookEndpoint | null;
  onClose: () => void;
}) {
  return (
    <Dialog open={subscription !== null} title={text.title} onClose={onClose} wide>
      {subscription && (
        <>
          <p className="mb-4 break-all text-muted">{subscription.url}</p>
          <Log subscription={subscription} />
        </>
      )}
    </Dialog>
  );
}
