import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { CallError } from '@/api/problem';
import type { Review } from '@/api/types';
import { useListReviewsQuery } from '@/features/catalog/api';
import { ReviewBy } from '@/features/catalog/components/review-by';
import { formatDay } from '@/lib/dates';
import { Button } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { keepPlace } from '@/ui/keep-place';
import { RatingStars } from '@/ui/rating-stars';
import { SegmentedControl } from '@/ui/segmented-control';
import { useListHiddenReviewsQuery } from '../api';
import { listMessages as messages } from '../messages';
import { useModeration } from '../use-moderation';

/** How many are listed at first, and how many more at each asking; the server answers no more than the last of these. */
const STEP = 50;
const MOST = 1000;

const views = [
  { value: 'shown', label: messages.shown },
  { value: 'hidden', label: messages.hidden },
] as const;

function Row({ review, note, action }: { review: Review; note?: string; action: ReactNode }) {
  return (
    <li className="card-surface flex flex-wrap items-start justify-between gap-4 p-4 sm:p-6">
      <div className="grid min-w-0 flex-1 basis-64 gap-2">
        <RatingStars rating={review.rating} />
        <ReviewBy review={review} withPart withDay />
        <p className="break-words whitespace-pre-line">{review.details}</p>
        {note && <p className="text-sm text-muted">{note}</p>}
      </div>
      {action}
    </li>
  );
}

interface ModerateProps {
  label: string;
  review: Review;
  onPress: () => void;
}

/** It takes its row along, and leaves the keyboard at the row that comes in its place. */
function Moderate({ label, review, onPress }: ModerateProps) {
  return (
    <Button
      variant="outline"
      onClick={({ currentTarget }) => {
        const giveBack = keepPlace(currentTarget);
        onPress();
        giveBack();
      }}
    >
      {label}
      <span className="sr-only"> {messages.context(review.name)}</span>
    </Button>
  );
}

interface Asked {
  isError: boolean;
  isFetching: boolean;
  error?: CallError | undefined;
  refetch: () => unknown;
}

function Failure({ asked }: { asked: Asked }) {
  const { error, isFetching, refetch } = asked;
  return <ErrorState title={messages.failed} error={error} onRetry={refetch} busy={isFetching} />;
}

/** What everybody sees, the newest first. */
function Shown() {
  const [limit, setLimit] = useState(STEP);
  const asked = useListReviewsQuery({ limit });
  const { hide } = useModeration(limit);
  const { data, isError, isFetching } = asked;
  return (
    <>
      {data?.length === 0 && <Empty title={messages.empty}>{messages.emptyHelp}</Empty>}
      <ul className="grid gap-4">
        {data?.toReversed().map((review) => (
          <Row
            key={review._id}
            review={review}
            action={<Moderate label={messages.hide} review={review} onPress={() => hide(review)} />}
          />
        ))}
      </ul>
      {isError && !data && <Failure asked={asked} />}
      {data?.length === limit && limit < MOST && (
        <Button
          variant="outline"
          className="mt-6"
          busy={isFetching}
          onClick={() => setLimit(Math.min(limit * 2, MOST))}
        >
          {messages.more}
        </Button>
      )}
    </>
  );
}

/** What admins have hidden, the latest first. */
function Hidden() {
  const asked = useListHiddenReviewsQuery();
  const { bringBack } = useModeration(STEP);
  const { data, isError } = asked;
  return (
    <>
      {data?.length === 0 && <Empty title={messages.noneHidden}>{messages.noneHiddenHelp}</Empty>}
      <ul className="grid gap-4">
        {data?.map((review) => (
          <Row
            key={review._id}
            review={review}
            note={messages.hiddenBy(review.hiddenBy, formatDay(review.hiddenAt))}
            action={
              <Moderate
                label={messages.restore}
                review={review}
                onPress={() => bringBack(review)}
              />
            }
          />
        ))}
      </ul>
      {isError && !data && <Failure asked={asked} />}
    </>
  );
}

/** What customers wrote, for an admin to hide and to bring back. */
export default function ReviewList() {
  const [params, setParams] = useSearchParams();
  const view = params.get('view') === 'hidden' ? 'hidden' : 'shown';
  const choose = (chosen: string) =>
    setParams(chosen === 'hidden' ? { view: 'hidden' } : {}, { replace: true });
  return (
    <section aria-labelledby="all-reviews" className="mt-12">
      <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h2 id="all-reviews" className="heading-mark text-3xl">
          {messages.title}
        </h2>
        <SegmentedControl label={messages.view} value={view} options={views} onChoose={choose} />
      </div>
      {view === 'hidden' ? <Hidden /> : <Shown />}
    </section>
  );
}
