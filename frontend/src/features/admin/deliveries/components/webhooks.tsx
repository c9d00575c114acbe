import { useState } from 'react';
import { readProblem } from '@/api/problem';
import type { AddedWebhookEndpoint, WebhookEndpoint } from '@/api/types';
import { formatDay } from '@/features/orders/facts';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { type Column, DataTable } from '@/ui/data-table';
import { TableSkeleton } from '@/ui/skeleton';
import { Empty, ErrorState } from '@/ui/states';
import { useGetEndpointsQuery, useRemoveEndpointMutation } from '../api';
import { topicWords } from '../words';
import { AddEndpoint } from './add-endpoint';
import { EndpointLog } from './endpoint-log';
import { SecretDialog } from './secret-dialog';

function columnsFor(
  onLog: (endpoint: WebhookEndpoint) => void,
  onRemove: (endpoint: WebhookEndpoint) => void,
): readonly Column<WebhookEndpoint>[] {
  return [
    {
      header: 'Address',
      cell: (endpoint) => (
        <div className="grid justify-items-start gap-1">
          <span className="font-semibold break-all">{endpoint.url}</span>
          <span className="text-sm text-muted">
            Since <time dateTime={endpoint.createdAt}>{formatDay(endpoint.createdAt)}</time>
          </span>
          {endpoint.disabledAt && <Badge tone="error">Off: it said that it is gone</Badge>}
        </div>
      ),
    },
    {
      header: 'Events',
      cell: (endpoint) => endpoint.events.map((event) => topicWords[event]).join(', '),
    },
    {
      header: 'Actions',
      cell: (endpoint) => (
        <div className="flex flex-wrap gap-2">
          <Button look="outline" aria-haspopup="dialog" onClick={() => onLog(endpoint)}>
            Log<span className="sr-only"> of {endpoint.url}</span>
          </Button>
          <Button look="outline" aria-haspopup="dialog" onClick={() => onRemove(endpoint)}>
            Delete<span className="sr-only"> {endpoint.url}</span>
          </Button>
        </div>
      ),
    },
  ];
}

/** The programs that are told what happens to orders. */
export function Webhooks() {
  const { data, error, isError, isFetching, refetch } = useGetEndpointsQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  const [remove, { isLoading }] = useRemoveEndpointMutation();
  const [added, setAdded] = useState<AddedWebhookEndpoint | null>(null);
  const [logged, setLogged] = useState<WebhookEndpoint | null>(null);
  const [leaving, setLeaving] = useState<WebhookEndpoint | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  const confirm = async () => {
    if (!leaving) return;
    const answer = await remove(leaving._id);
    if (answer.error) setFailure(readProblem(answer.error).message);
    else setLeaving(null);
  };

  return (
    <section aria-labelledby="webhooks" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id="webhooks" className="text-3xl">
        Webhooks
      </h2>
      <AddEndpoint onAdded={setAdded} />
      {data && !isError ? (
        data.length > 0 ? (
          <DataTable
            caption="Webhooks"
            columns={columnsFor(setLogged, (endpoint) => {
              setFailure(null);
              setLeaving(endpoint);
            })}
            rows={data}
            rowKey={(endpoint) => endpoint._id}
          />
        ) : (
          <Empty title="No webhooks yet">
            Programs that are to know what happens to orders are added above.
          </Empty>
        )
      ) : isError && !isFetching ? (
        <ErrorState title="The webhooks did not load" error={error} onRetry={refetch} />
      ) : (
        <TableSkeleton rows={2} label="Loading webhooks" />
      )}
      <SecretDialog added={added} onClose={() => setAdded(null)} />
      <EndpointLog endpoint={logged} onClose={() => setLogged(null)} />
      <ConfirmDialog
        open={leaving !== null}
        title="Delete webhook"
        question={`Are you sure you want to delete ${leaving?.url ?? ''}?`}
        note="It is told nothing from now on, and its log is gone."
        danger
        busy={isLoading}
        error={failure}
        onConfirm={confirm}
        onClose={() => setLeaving(null)}
      />
    </section>
  );
}
