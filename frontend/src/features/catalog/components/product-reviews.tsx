import { useState } from 'react';
import type { Product } from '@/api/types';
import { paths } from '@/lib/paths';
import { Button, ButtonLink } from '@/ui/button';
import { ErrorState } from '@/ui/error-state';
import { RatingStars } from '@/ui/rating-stars';
import { Skeleton } from '@/ui/skeleton';
import { FRESH, useListReviewsOfProductQuery } from '../api';
import { reviewMessages as messages } from '../pages/messages';
import { ReviewBy } from './review-by';

/** How many are listed at first; the rest, as far as the server lists them, at the asking. */
const FIRST = 10;
const MOST = 1000;

/** The latest reviews of a part. Whoever asks for as many shares the answer. */
const useReviewsOf = (id: string, limit: number) =>
  useListReviewsOfProductQuery({ id, limit }, { refetchOnMountOrArgChange: FRESH });

/** The stars of a part on average; nothing where nobody has reviewed it. */
export function AverageRating({ id }: { id: string }) {
  const { currentData } = useReviewsOf(id, FIRST);
  if (!currentData || currentData.average === null) return null;
  const { average, count } = currentData;
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <span aria-hidden="true" className="inline-flex">
        <RatingStars rating={Math.round(average)} />
      </span>
      {messages.average(average, count)}
    </p>
  );
}

/** What customers think of a part: its stars, and their reviews, the newest first. */
export function ProductReviews({ product: { _id: id, name } }: { product: Product }) {
  const [limit, setLimit] = useState(FIRST);
  const { currentData, data, error, isError, isFetching, refetch } = useReviewsOf(id, limit);
  // While more of them load, those that are there stay.
  const found = currentData ?? data;

  return (
    <section aria-labelledby="reviews" className="mt-12 border-t border-base-300 pt-8">
      <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <div className="grid gap-2">
          <h2 id="reviews" className="text-3xl">
            {messages.heading}
          </h2>
          <AverageRating id={id} />
        </div>
        <ButtonLink variant="outline" to={paths.addReview} state={{ part: { id, name } }}>
          {messages.write}
        </ButtonLink>
      </div>
      {found?.count === 0 && <p className="text-muted">{messages.none}</p>}
      {found && (
        <ul className="grid gap-4">
          {found.reviews.toReversed().map((review) => (
            <li key={review._id} className="card-surface grid gap-4 p-4 sm:p-6">
              <RatingStars rating={review.rating} />
              <blockquote className="break-words whitespace-pre-line">{review.details}</blockquote>
              <ReviewBy review={review} withDay />
            </li>
          ))}
        </ul>
      )}
      {!found && isError && (
        <ErrorState title={messages.failed} error={error} onRetry={refetch} busy={isFetching} />
      )}
      {!found && !isError && (
        <div role="status" aria-label={messages.loading} className="grid gap-4">
          <Skeleton className="h-24 w-full" />
        </div>
      )}
      {found && found.count > found.reviews.length && limit < MOST && (
        <Button
          variant="outline"
          className="mt-6"
          busy={isFetching}
          onClick={() => setLimit(Math.min(limit * 10, MOST))}
        >
          {messages.more}
        </Button>
      )}
    </section>
  );
}
