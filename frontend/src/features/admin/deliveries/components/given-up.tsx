import { useState } from 'react';
import { Link } from 'react-router-dom';
import { problemOf } from '@/api/problem';
import type { Delivery } from '@/api/types';
import { paths } from '@/lib/paths';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { type Column, DataTable } from '@/ui/data-table';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { TableSkeleton } from '@/ui/table-skeleton';
import { useListDeliveriesQuery, useRetryDeliveryMutation } from '../api';
import { formatTime, SHOWN, topicLabels } from '../labels';
import { Latest } from './latest';
import { type Result, RetryAll } from './retry-all';

function Retry({
  delivery,
  onDone,
  onFailure,
}: {
  delivery: Delivery;
  onDone: () => void;
  onFailure: (message: string) => void;
}) {
  const [retry, { isLoading }] = useRetryDeliveryMutation();
  const send = async () => {
    const { error } = await retry(delivery._id);
    if (error) onFailure(problemOf(error).message);
    else onDone();
  };
  return (
    <Button variant="outline" busy={isLoading} onClick={send}>
      Retry<span className="sr-only"> {topicLabels[delivery.topic]}</span>
    </Button>
  );
}

function columnsFor(
  onDone: () => void,
  onFailure: (message: string) => void,
): readonly Column<Delivery>[] {
  return [
    {
      header: 'What',
      cell: (delivery) => (
        <>
          <p className="font-semibold">{topicLabels[delivery.topic]}</p>
          <p className="text-sm text-muted">
            <time dateTime={delivery.createdAt}>{formatTime(delivery.createdAt)}</time>
          </p>
          {delivery.orderId && (
            <Link className="link-accent" to={paths.order(delivery.orderId)}>
              The order
            </Link>
          )}
        </>
      ),
    },
    {
      header: 'To',
      cell: (delivery) => <span className="break-all">{delivery.to ?? 'A webhook'}</span>,
    },
    {
      header: 'Why not',
      cell: (delivery) => (
        <>
          <p className="break-words">{delivery.lastError}</p>
          <p className="text-sm text-muted">
            {delivery.attempts === 1 ? 'Tried once' : `Tried ${delivery.attempts} times`}
          </p>
        </>
      ),
    },
    {
      header: 'Actions',
      cell: (delivery) => <Retry delivery={delivery} onDone={onDone} onFailure={onFailure} />,
    },
  ];
}

/** E-mails and webhook calls that were tried for days, with the way to try them again. */
export function GivenUp() {
  const { data, error, isError, isFetching, refetch } = useListDeliveriesQuery(
    { state: 'dead', limit: SHOWN },
    { refetchOnMountOrArgChange: true },
  );
  const [result, setResult] = useState<Result | null>(null);
  const columns = columnsFor(
    () => setResult({ tone: 'success', text: 'It is tried again now.' }),
    (text) => setResult({ tone: 'error', text }),
  );

  return (
    <section aria-labelledby="given-up" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id="given-up" className="text-3xl">
        What could not be sent
      </h2>
      {result && <Alert tone={result.tone}>{result.text}</Alert>}
      {data && !isError ? (
        data.items.length > 0 ? (
          <>
            <DataTable
              caption="E-mails and webhook calls that were given up"
              columns={columns}
              rows={data.items}
              rowKey={(delivery) => delivery._id}
            />
            <div className="flex flex-wrap items-center justify-between gap-4">
              <RetryAll onResult={setResult} />
              <Latest page={data} />
            </div>
          </>
        ) : (
          <Empty title="Everything was sent">
            E-mails and webhook calls that fail for three days will be listed here.
          </Empty>
        )
      ) : isError && !isFetching ? (
        <ErrorState title="The list did not load" error={error} onRetry={refetch} />
      ) : (
        <TableSkeleton rows={3} label="Loading what could not be sent" />
      )}
    </section>
  );
}
