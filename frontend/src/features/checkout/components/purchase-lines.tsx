import { Link } from 'react-router-dom';
import { formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { Badge } from '@/ui/badge';
import { lazyRow } from '@/ui/lazy-row';
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
          <li key={orderId} style={lazyRow} className="flex gap-4 py-3">
            <div className="w-16 shrink-0">
              <ProductPicture img={img} alt="" sizes="64px" className="rounded-field" />
            </div>
            <div className="grid min-w-0 flex-1 gap-2">
              <div>
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
              <LineState line={line} />
            </div>
            <p className="text-lg font-semibold">{formatMoney(price)}</p>
          </li>
        );
      })}
    </ol>
  );
}
