import { Link } from 'react-router-dom';
import type { Review } from '@/api/types';
import { formatDay } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Badge } from '@/ui/badge';
import { reviewMessages as messages } from '../pages/messages';

interface ReviewByProps {
  review: Review;
  /** Whether the part is named; on the part's own page it is clear. */
  withPart?: boolean;
  /** Whether the day is given: not where the page is drawn ahead, in no reader's time zone. */
  withDay?: boolean;
}

/** Who wrote a review, and of what. A review that is signed with another name goes by the account's. */
export function ReviewBy({ review, withPart = false, withDay = false }: ReviewByProps) {
  const { author, name, verified, productId, productName } = review;
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="font-semibold break-words">{author ?? name}</span>
        {verified && <Badge tone="success">{messages.verified}</Badge>}
      </p>
      {author && <p className="text-sm text-muted break-words">{messages.signed(name)}</p>}
      {withPart && productId && productName && (
        <p className="text-sm">
          <Link to={paths.product(productId)} className="link-accent break-words">
            {productName}
          </Link>
        </p>
      )}
      {withDay && <p className="text-sm text-muted">{formatDay(review.createdAt)}</p>}
    </div>
  );
}
