import { useState } from 'react';
import { useListReviewsQuery } from '@/features/catalog/api';
import { Button } from '@/ui/button';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { RatingStars } from '@/ui/rating-stars';
import { useRemoveReviewMutation } from '../api';
import { listMessages as messages } from '../messages';

/** How many are listed at first, and how many more at each asking; the server answers no more than the last of these. */
const STEP = 50;
const MOST = 1000;

/** What customers wrote, the newest first, for an admin to take down. */
export default function ReviewList() {
  const [limit, setLimit] = useState(STEP);
  const { data, isFetching, isError, error, refetch } = useListReviewsQuery(limit);
  const [remove] = useRemoveReviewMutation();
  return (
    <section aria-labelledby="all-reviews" className="mt-12">
      <h2 id="all-reviews" className="heading-mark mb-6 text-3xl">
        {messages.title}
      </h2>
      {data?.length === 0 && <Empty title={messages.empty}>{messages.emptyHelp}</Empty>}
      {data && (
        <ul className="grid gap-4">
          {data.toReversed().map((review) => (
            <li
              key={review._id}
              className="card-surface flex flex-wrap items-start justify-between gap-4 p-4 sm:p-6"
            >
              <div className="min-w-0 flex-1 basis-64">
                <RatingStars rating={review.rating} />
                <p className="mt-2 font-semibold break-words">{review.name}</p>
                <p className="mt-1 break-words whitespace-pre-line">{review.details}</p>
              </div>
              <ConfirmedButton
                label={messages.remove}
                context={messages.removeContext(review.name)}
                title={messages.removeTitle}
                question={messages.removeQuestion(review.name)}
                note={messages.removeNote}
                danger
                onConfirm={() => remove(review._id)}
              />
            </li>
          ))}
        </ul>
      )}
      {isError && !data && (
        <ErrorState title={messages.failed} error={error} onRetry={refetch} busy={isFetching} />
      )}
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
    </section>
  );
}
