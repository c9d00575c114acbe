import { Link } from 'react-router-dom';
import { formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { Badge } from '@/ui/badge';
import { ProductPicture } from '@/ui/product-picture';
import { purchaseMessages } from '../messages';
import type { PurchaseLine } from '../wire';

const { detail } = purchaseMessages;

/** Where a line is: as of an order, which it is. */
export function LineState({ line }: { line: PurchaseLine }) {
  const { cancelled, paid, refunded, status } = line;
  if (cancelled) return <Badge tone="neutral">{detail.status.canceled}</Badge>;
  // On the wire an order's status is `paid` once it has shipped.
  const shipped = status === 'paid';
  return (
    <span className="flex flex-wrap gap-2">
      <Badge tone={shipped ? 'success' : 'neutral'}>
        {shipped ? detail.status.shipped : detail.status.pending}
      </Badge>
      {!paid && !refunded && <Badge tone="warning">{detail.status.unpaid}</Badge>}
      {refunded ? <Badge tone="neutral">{detail.refunded(refunded)}</Badge> : null}
    </span>
  );
}

/** The parts of a purchase, each with its state and the way to its order. */
export function PurchaseLines({ lines }: { lines: readonly PurchaseLine[] }) {
  return (
    <ol aria-label={detail.lines} className="divide-y divide-base-300">
      {lines.map((line) => {
        const { orderId, name, partNumber, img, quantity, unit, price } = line;
        return (
          <li
            key={orderId}
            className="grid grid-cols-[4rem_minmax(0,1fr)] items-start gap-x-4 gap-y-2 py-3 [contain-intrinsic-size:auto_6rem] [content-visibility:auto] sm:grid-cols-[4rem_minmax(0,1fr)_auto_8rem]"
          >
            <ProductPicture img={img} alt="" sizes="64px" className="rounded-field" />
            <div className="min-w-0">
              <p className="leading-tight font-semibold wrap-anywhere">
                <Link to={paths.order(orderId)} className="hover:text-accent hover:underline">
                  {name}
                </Link>
              </p>
              <p className="text-sm text-muted">
                {partNumber && (
                  <span className="font-semibold text-base-content">{partNumber} · </span>
                )}
                {formatCount(quantity)} × {formatMoney(unit)}
              </p>
            </div>
            <div className="max-sm:col-start-2">
              <LineState line={line} />
            </div>
            <p className="text-lg font-semibold max-sm:col-start-2 sm:text-right">
              {formatMoney(price)}
            </p>
          </li>
        );
      })}
    </ol>
  );
}
