import { useState } from 'react';
import type { AddedWebhookEndpoint, WebhookEndpoint } from '@/api/types';
import { formatDay, formatTime } from '@/lib/dates';
import { Alert } from '@/ui/alert';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { type Column, DataTable } from '@/ui/data-table';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { TableSkeleton } from '@/ui/table-skeleton';
import { useListSubscriptionsQuery, useRemoveSubscriptionMutation } from '../api';
import { messages } from '../messages';
import { AddSubscription } from './add-subscription';
import { type Result, RetryAll } from './retry-all';
import { SecretDialog } from './secret-dialog';
import { SubscriptionLog } from './subscription-log';

const { webhooks: text } = messages;

interface HealthProps {
  subscription: WebhookEndpoint;
}

function DeleteWebhook({ subscription }: { subscription: WebhookEndpoint }) {
  const [remove] = useRemoveSubscriptionMutation();
  return (
    <ConfirmedButton
      label={text.delete}
      context={subscription.url}
      title={text.deleteTitle}
      question={text.deleteQuestion(subscription.url)}
      note={text.deleteNote}
      danger
      onConfirm={() => remove(subscription._id)}
    />
  );
}

/** Whether it gets its calls, and why not. */
function Health({ subscription: { disabledAt, disabledReason, failingSince } }: HealthProps) {
  if (disabledAt) {
    return (
      <>
        <Badge tone="error">{text.disabled}</Badge>
        <span className="text-sm break-words">
          <time dateTime={disabledAt}>{formatTime(disabledAt)}</time>: {disabledReason}
        </span>
      </>
    );
  }
  if (!failingSince) return null;
  return (
    <>
      <Badge tone="warning">{text.failing}</Badge>
      <span className="text-sm">
        {text.since} <time dateTime={failingSince}>{formatTime(failingSince)}</time>.{' '}
        {text.failingHint}
      </span>
    </>
  );
}

function columnsFor(
  onResult: (result: Result) => void,
  onLog: (subscription: WebhookEndpoint) => void,
): readonly Column<WebhookEndpoint>[] {
  return [
    {
      header: text.columns.url,
      cell: (subscription) => (
        <div className="grid justify-items-start gap-1">
          <span className="font-semibold break-all">{subscription.url}</span>
          <span className="text-sm text-muted">
            {text.since}{' '}
            <time dateTime={subscription.createdAt}>{formatDay(subscription.createdAt)}</time>
          </span>
          <Health subscription={subscription} />
        </div>
      ),
    },
    {
      header: text.columns.events,
      cell: (subscription) => subscription.events.map((event) => messages.topics[event]).join(', '),
    },
    {
      header: text.columns.actions,
      cell: (subscription) => (
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" aria-haspopup="dialog" onClick={() => onLog(subscription)}>
            {text.log}
            <span className="sr-only"> {text.logOf(subscription.url)}</span>
          </Button>
          {subscription.disabledAt && (
            <RetryAll
              subscription={{ id: subscription._id, url: subscription.url }}
              onResult={onResult}
            />
          )}
          <DeleteWebhook subscription={subscription} />
        </div>
      ),
    },
  ];
}

/** The webhook subscriptions of the shop. */
export function WebhookSubscriptions() {
  const { data, error, isError, isFetching, refetch } = useListSubscriptionsQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  const [added, setAdded] = useState<AddedWebhookEndpoint | null>(null);
  const [logged, setLogged] = useState<WebhookEndpoint | null>(null);
  const [result, setResult] = useState<Result | null>(null);

  return (
    <section aria-labelledby="webhooks" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id="webhooks" className="text-3xl">
        {text.heading}
      </h2>
      <AddSubscription onAdded={setAdded} />
      {result && <Alert tone={result.tone}>{result.text}</Alert>}
      {data && !isError ? (
        data.length > 0 ? (
          <DataTable
            caption={text.heading}
            columns={columnsFor(setResult, setLogged)}
            rows={data}
            rowKey={(subscription) => subscription._id}
          />
        ) : (
          <Empty title={text.empty}>{text.emptyHint}</Empty>
        )
      ) : isError && !isFetching ? (
        <ErrorState title={text.loadFailed} error={error} onRetry={refetch} />
      ) : (
        <TableSkeleton rows={2} label={text.loading} />
      )}
      <SecretDialog added={added} onClose={() => setAdded(null)} />
      <SubscriptionLog subscription={logged} onClose={() => setLogged(null)} />
    </section>
  );
}
