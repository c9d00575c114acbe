import { useEffect, useRef } from 'react';
import { useDispatch } from 'react-redux';
import { problemOf } from '@/api/problem';
import type { FeedDetails } from '@/api/types';
import { formatCount } from '@/lib/money';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { ErrorState } from '@/ui/error-state';
import { PlainTable } from '@/ui/plain-table';
import { TableSkeleton } from '@/ui/table-skeleton';
import {
  productsAreOld,
  useApplyFeedMutation,
  useCancelFeedMutation,
  useGetFeedQuery,
  useSaveFindingsMutation,
} from '../api';
import { messages } from '../messages';
import { StateBadge, works } from './state-badge';

const { open: text } = messages;

/** How often a feed is read while the shop works on it, in milliseconds. */
const POLL = 1_000;

function Progress({ feed }: { feed: FeedDetails }) {
  if (!works(feed)) return null;
  return (
    <div role="status" className="grid gap-2">
      <p className="font-semibold">{text.progress(feed.state, feed.progress)}</p>
      <progress className="w-full" value={feed.progress} max={100} aria-hidden="true" />
    </div>
  );
}

function Outcome({ feed }: { feed: FeedDetails }) {
  const { state, error, counts } = feed;
  if (error) return <Alert tone="error">{error}</Alert>;
  if (state === 'applied') {
    const words = counts.refused > 0 ? text.appliedPartly(counts.refused) : text.applied;
    return <Alert tone="success">{words}</Alert>;
  }
  if (state === 'checked' && feed.archivesMuch)
    return <Alert tone="info">{text.archivesMuch(counts.archived)}</Alert>;
  return null;
}

function Findings({ feed }: { feed: FeedDetails }) {
  const [save, { isLoading, error }] = useSaveFindingsMutation();
  const { findings, findingCount, reasons } = feed;
  if (findingCount === 0) return works(feed) ? null : <p>{text.clean}</p>;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 className="text-2xl">{text.findings}</h3>
      <ul className="flex flex-wrap gap-x-6 gap-y-1">
        {reasons.map(({ reason, count }) => (
          <li key={reason}>{text.byReason(messages.reason(reason), count)}</li>
        ))}
      </ul>
      <PlainTable
        caption={text.findings}
        headers={text.findingColumns}
        rows={findings.map(({ line, field, message }) => [
          formatCount(line),
          field || text.wholeRow,
          message,
        ])}
        className="max-h-96"
      />
      {findingCount > findings.length && (
        <p className="text-muted">{text.findingsShown(findings.length, findingCount)}</p>
      )}
      {error && <Alert tone="error">{problemOf(error).message}</Alert>}
      <Button
        variant="outline"
        className="justify-self-start"
        busy={isLoading}
        onClick={() => save(feed._id)}
      >
        {text.saveFindings}
      </Button>
    </div>
  );
}

function Changes({ feed: { changes, counts } }: { feed: FeedDetails }) {
  if (changes.length === 0) return null;
  const rows = changes.flatMap(({ part, fields }) =>
    fields.map(({ field, old, new: wanted }) => [
      part,
      field,
      old ?? text.empty,
      wanted ?? text.empty,
    ]),
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 className="text-2xl">{text.changes}</h3>
      <PlainTable
        caption={text.changes}
        headers={text.changeColumns}
        rows={rows}
        className="max-h-96"
      />
      {counts.changed > changes.length && (
        <p className="text-muted">{text.changesShown(changes.length, counts.changed)}</p>
      )}
    </div>
  );
}

function Actions({ feed }: { feed: FeedDetails }) {
  const [apply] = useApplyFeedMutation();
  const [cancel] = useCancelFeedMutation();
  const { _id: id, state, counts, name, archivesMuch } = feed;
  const context = text.context(name, id);
  const does = counts.added + counts.changed + counts.archived > 0;
  return (
    <div className="flex flex-wrap gap-4">
      {state === 'checked' && does && (
        <ConfirmedButton
          variant="primary"
          label={counts.refused > 0 ? text.applyGood(counts.refused) : text.apply}
          title={text.applyTitle}
          context={context}
          question={text.applyQuestion(counts)}
          note={archivesMuch ? text.archivesMuch(counts.archived) : undefined}
          danger={archivesMuch}
          onConfirm={() =>
            apply({
              id,
              body: { partial: counts.refused > 0, confirmArchived: counts.archived },
            })
          }
        />
      )}
      {state === 'checked' && !does && <p className="self-center">{text.nothing}</p>}
      {(state === 'waiting' || state === 'reading' || state === 'checked') && (
        <ConfirmedButton
          label={text.cancel}
          context={context}
          question={text.cancelQuestion}
          danger
          onConfirm={() => cancel(id)}
        />
      )}
    </div>
  );
}

/** One feed: how far it is, what was found, what it changes, and what to do about it. */
export function OpenFeed({ id, onBack }: { id: string; onBack: () => void }) {
  const dispatch = useDispatch();
  const heading = useRef<HTMLHeadingElement>(null);
  const {
    data: feed,
    error,
    isError,
    isFetching,
    refetch,
  } = useGetFeedQuery(id, {
    refetchOnMountOrArgChange: true,
  });
  const isWorkedOn = feed !== undefined && works(feed);
  useGetFeedQuery(id, { pollingInterval: isWorkedOn ? POLL : 0, skipPollingIfUnfocused: true });
  const isApplied = feed?.state === 'applied';
  useEffect(() => {
    if (isApplied) dispatch(productsAreOld());
  }, [isApplied, dispatch]);
  const isHere = feed !== undefined;
  useEffect(() => {
    if (isHere) heading.current?.focus();
  }, [isHere]);

  if (!feed) {
    return isError && !isFetching ? (
      <ErrorState title={text.failed} error={error} onRetry={refetch} />
    ) : (
      <TableSkeleton rows={3} label={text.loading} />
    );
  }
  const counts = Object.entries(text.counts).map(([name, label]) => [
    label,
    formatCount(feed.counts[name as keyof typeof text.counts]),
  ]);
  return (
    <section aria-labelledby="open-feed" className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className="flex flex-wrap items-center gap-4">
        <h2 id="open-feed" ref={heading} tabIndex={-1} className="text-3xl break-all">
          {text.heading(feed.name, feed._id)}
        </h2>
        <StateBadge feed={feed} />
      </div>
      <p className="text-muted">
        {messages.kinds[feed.kind]}, {messages.modes[feed.mode]}
      </p>
      <Progress feed={feed} />
      <Outcome feed={feed} />
      <PlainTable
        caption={text.countsCaption}
        headers={counts.map(([label = '']) => label)}
        rows={[counts.map(([, count = '']) => count)]}
      />
      <Actions feed={feed} />
      <Findings feed={feed} />
      <Changes feed={feed} />
      <Button variant="outline" className="justify-self-start" onClick={onBack}>
        {text.back}
      </Button>
    </section>
  );
}
