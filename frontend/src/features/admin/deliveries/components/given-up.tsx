import { useState } from 'react';
import { Link } from 'react-router-dom';
import { problemOf } from '@/api/problem';
import type { Delivery } from '@/api/types';
import { formatTime } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { type Column, DataTable } from '@/ui/data-table';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { TableSkeleton } from '@/ui/table-skeleton';
import { useListDeliveriesQuery, useRetryDeliveryMutation } from '../api';
import { SHOWN } from '../labels';
import { messages } from '../messages';
import { Latest } from './latest';
import { type Result, RetryAll } from './retry-all';

const { failed: text } = messages;

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
      {messages.retry}
      <span className="sr-only"> {messages.topics[delivery.topic]}</span>
    </Button>
  );
}

function columnsFor(
  onDone: () => void,
  onFailure: (message: string) => void,
): readonly Column<Delivery>[] {
  return [
    {
      header: text.columns.message,
      cell: (delivery) => (
        <>
          <p className="font-semibold">{messages.topics[delivery.topic]}</p>
          <p className="text-sm text-muted">
            <time dateTime={delivery.createdAt}>{formatTime(delivery.createdAt)}</time>
          </p>
          {delivery.orderId && (
            <Link className="link-accent" to={paths.order(delivery.orderId)}>
              {text.order}
            </Link>
          )}
        </>
      ),
    },
    {
      header: text.columns.recipient,
      cell: (delivery) => <span className="break-all">{delivery.to ?? text.webhook}</span>,
    },
    {
      header: text.columns.error,
      cell: (delivery) => (
        <>
          <p className="break-words">{delivery.lastError}</p>
          <p className="text-sm text-muted">{text.tries(delivery.attempts)}</p>
        </>
      ),
    },
    {
      header: text.columns.actions,
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
    () => setResult({ tone: 'success', text: messages.retrying }),
    (text) => setResult({ tone: 'error', text }),
  );

  return (
    <section aria-labelledby="given-up" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id="given-up" className="text-3xl">
        {text.heading}
      </h2>
      {result && <Alert tone={result.tone}>{result.text}</Alert>}
      {data && !isError ? (
        data.items.length > 0 ? (
          <>
            <DataTable
              caption={text.caption}
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
          <Empty title={text.empty}>{text.emptyHint}</Empty>
        )
      ) : isError && !isFetching ? (
        <ErrorState title={text.loadFailed} error={error} onRetry={refetch} />
      ) : (
        <TableSkeleton rows={3} label={text.loading} />
      )}
    </section>
  );
}
