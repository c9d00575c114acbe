import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { RatingStars } from '@/ui/rating-stars';
import { Skeleton } from '@/ui/skeleton';
import { useGetLatestReviewsQuery } from '../api';
import { homeMessages } from '../pages/messages';
import { ReviewBy } from './review-by';
import { SectionHeading } from './section-heading';

const messages = homeMessages.reviews;
const grid = 'grid gap-5 md:grid-cols-2 lg:grid-cols-3';

function Reviews() {
  const { data, isFetching, isError, error, refetch } = useGetLatestReviewsQuery();
  if (data?.length) {
    return (
      <ul className={grid}>
        {data.map((review) => (
          <li key={review._id} className="card-surface flex flex-col gap-4 p-6">
            <RatingStars rating={review.rating} />
            <blockquote className="flex-1 text-lg">{review.details}</blockquote>
            <ReviewBy review={review} withPart />
          </li>
        ))}
      </ul>
    );
  }
  if (data) {
    return (
      <Empty
        title={messages.empty}
        action={<ButtonLink to={paths.addReview}>{messages.add}</ButtonLink>}
      >
        {messages.beFirst}
      </Empty>
    );
  }
  if (isError) {
    return <ErrorState title={messages.failed} error={error} onRetry={refetch} busy={isFetching} />;
  }
  return (
    <div role="status" aria-label={messages.loading} className={grid}>
      {[1, 2, 3].map((place) => (
        <div key={place} className="card-surface grid gap-4 p-6">
          <Skeleton className="h-5 w-28" />
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-5/6" />
          <Skeleton className="h-6 w-32" />
        </div>
      ))}
    </div>
  );
}

export function CustomerReviews() {
  return (
    <section aria-labelledby="customer-reviews" className="shell py-16 lg:py-20">
      <SectionHeading id="customer-reviews">{messages.heading}</SectionHeading>
      <Reviews />
    </section>
  );
}
