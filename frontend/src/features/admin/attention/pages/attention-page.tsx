import { useState } from 'react';
import { usePageTitle } from '@/lib/use-page-title';
import { Alert } from '@/ui/alert';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { TableSkeleton } from '@/ui/table-skeleton';
import { useListAttentionQuery } from '../api';
import { MatterCard } from '../components/matter-card';
import { messages } from '../messages';

/** Money that needs an admin, oldest first. */
export default function AttentionPage() {
  usePageTitle(messages.heading);
  const { data, error, isError, isFetching, refetch } = useListAttentionQuery(undefined, {
    refetchOnMountOrArgChange: true,
    pollingInterval: 60_000,
    skipPollingIfUnfocused: true,
  });
  const [done, setDone] = useState<string | null>(null);
  return (
    <>
      <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">{messages.heading}</h1>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {done && <Alert tone="success">{done}</Alert>}
        {data && !isError ? (
          data.length > 0 ? (
            <ul className="grid gap-6">
              {data.map((matter) => (
                <MatterCard key={`${matter.kind}-${matter.id}`} matter={matter} onDone={setDone} />
              ))}
            </ul>
          ) : (
            <Empty title={messages.empty}>{messages.emptyHint}</Empty>
          )
        ) : isError && !isFetching ? (
          <ErrorState title={messages.failed} error={error} onRetry={refetch} />
        ) : (
          <TableSkeleton rows={3} label={messages.loading} />
        )}
      </div>
    </>
  );
}
