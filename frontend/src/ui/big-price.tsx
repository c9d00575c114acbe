import { formatMoney } from '@/lib/money';
import { cx } from './cx';

/** Beyond this many characters a price takes the smaller size, so that it fits beside a card's edge on a phone. */
const LONG = 11;

/** The price that a screen is about. */
export function BigPrice({ dollars }: { dollars: number }) {
  const text = formatMoney(dollars);
  return (
    <span
      className={cx(
        'block font-display leading-none font-bold wrap-anywhere',
        text.length > LONG ? 'text-4xl' : 'text-5xl',
      )}
    >
      {text}
    </span>
  );
}
