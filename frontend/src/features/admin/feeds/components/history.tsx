import type { Feed } from '@/api/types';
import { formatTime } from '@/lib/dates';
import { Button } from '@/ui/button';
import { type Column, DataTable } from '@/ui/data-table';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { TableSkeleton } from '@/ui/table-skeleton';
import { useListFeedsQuery } from '../api';
import { messages } from '../messages';
import { StateBadge, works } from './state-badge';

const { history: text } = messages;

const SHOWN = 50;
/** How often the list is read while a feed is worked on, in milliseconds. */
const POLL = 2_000;

const columnsFor = (onOpen: (id: string) => void): readonly Column<Feed>[] => [
  {
    header: text.columns.feed,
    cell: (feed) => (
      <>
        <Button
          variant="ghost"
          className="h-auto min-h-11 px-0 text-left"
          onClick={() => onOpen(feed._id)}
        >
          <span className="break-all">{messages.open.heading(feed.name, feed._id)}</span>
        </Button>
        <p className="text-sm text-muted">
          {messages.kinds[feed.kind]}, {messages.modes[feed.mode]}
        </p>
      </>
    ),
  },
  { header: text.columns.state, cell: (feed) => <StateBadge feed={feed} /> },
  { header: text.columns.result, cell: ({ error, counts }) => error ?? text.result(counts) },
  {
    header: text.columns.sent,
    cell: (feed) => (
      <>
        <time dateTime={feed.createdAt}>{formatTime(feed.createdAt)}</time>
        <p className="text-sm break-all text-muted">{feed.sentBy ?? text.console}</p>
      </>
    ),
  },
];

/** The feeds that were sent, latest first. */
export function History({ onOpen }: { onOpen: (id: string) => void }) {
  const { data, error, isError, isFetching, refetch } = useListFeedsQuery(
    { limit: SHOWN },
    { refetchOnMountOrArgChange: true },
  );
  const anyWorks = data?.items.some(works) ?? false;
  useListFeedsQuery(
    { limit: SHOWN },
    { pollingInterval: anyWorks ? POLL : 0, skipPollingIfUnfocused: true },
  );

  return (
    <section aria-labelledby="feed-history" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id="feed-history" className="text-3xl">
        {text.heading}
      </h2>
      {data && !isError ? (
        data.items.length > 0 ? (
          <>
            <DataTable
              caption={text.caption}
              columns={columnsFor(onOpen)}
              rows={data.items}
              rowKey={(feed) => feed._id}
            />
            {data.total > data.items.length && (
              <p className="text-muted">{text.latest(data.items.length, data.total)}</p>
            )}
          </>
        ) : (
          <Empty title={text.empty}>{text.emptyHint}</Empty>
        )
      ) : isError && !isFetching ? (
        <ErrorState title={text.failed} error={error} onRetry={refetch} />
      ) : (
        <TableSkeleton rows={3} label={text.loading} />
      )}
    </section>
  );
}
