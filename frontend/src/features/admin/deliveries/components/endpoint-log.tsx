import type { WebhookDelivery, WebhookEndpoint } from '@/api/types';
import { formatMoment } from '@/features/orders/facts';
import { formatCount } from '@/lib/money';
import { Dialog } from '@/ui/dialog';
import { PlainTable } from '@/ui/plain-table';
import { TableSkeleton } from '@/ui/skeleton';
import { ErrorState } from '@/ui/states';
import { useGetEndpointDeliveriesQuery } from '../api';
import { SHOWN, stateWords, topicWords } from '../words';

/** The last words on a delivery: what was answered, or why nothing was. */
function result({ state, statusCode, lastError }: WebhookDelivery): string {
  if (state === 'sent') return `${stateWords.sent}: ${statusCode ?? ''}`;
  return lastError ? `${stateWords[state]}: ${lastError}` : stateWords[state];
}

function Log({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { data, error, isError, isFetching, refetch } = useGetEndpointDeliveriesQuery(
    { id: endpoint._id, limit: SHOWN },
    { refetchOnMountOrArgChange: true },
  );
  if (isError && !isFetching) {
    return <ErrorState title="The log did not load" error={error} onRetry={refetch} />;
  }
  if (!data) return <TableSkeleton rows={3} label="Loading the log" />;
  if (data.items.length === 0) return <p>Nothing has happened since it was added.</p>;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <PlainTable
        caption="What it was told"
        headers={['When', 'Event', 'Tries', 'Result']}
        rows={data.items.map((delivery) => [
          formatMoment(delivery.createdAt),
          topicWords[delivery.topic],
          String(delivery.attempts),
          result(delivery),
        ])}
      />
      {data.total > data.items.length && (
        <p className="text-muted">
          The latest {formatCount(data.items.length)} of {formatCount(data.total)}.
        </p>
      )}
    </div>
  );
}

/** What a webhook was told, and what it answered. */
export function EndpointLog({
  endpoint,
  onClose,
}: {
  endpoint: WebhookEndpoint | null;
  onClose: () => void;
}) {
  return (
    <Dialog open={endpoint !== null} title="Deliveries" onClose={onClose} wide>
      {endpoint && (
        <>
          <p className="mb-4 break-all text-muted">{endpoint.url}</p>
          <Log endpoint={endpoint} />
        </>
      )}
    </Dialog>
  );
}
