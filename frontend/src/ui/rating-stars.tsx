import { Star } from 'lucide-react';
import { cx } from './cx';
import * as messages from './late-messages';

const FIVE = [1, 2, 3, 4, 5];

/** A rating of 0 to 5 as that many filled stars, and in words for who cannot see them. */
export function RatingStars({ rating }: { rating: number }) {
  return (
    <span role="img" aria-label={messages.rated(rating)} className="inline-flex gap-0.5">
      {FIVE.map((place) => (
        <Star
          key={place}
          aria-hidden="true"
          className={cx('size-5', place <= rating ? 'fill-current text-accent' : 'text-edge')}
        />
      ))}
    </span>
  );
}
