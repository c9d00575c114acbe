import type { Order } from '@/api/types';
import { formatDay, formatMinute, orderName } from '../facts';

/** What the order is called and when it was placed; while it is unpaid, also until when its units are kept. */
export function Ordered({ order }: { order: Order }) {
  return (
    <>
      <p className="text-sm text-muted wrap-anywhere">
        Order {orderName(order)} · Ordered{' '}
        <time dateTime={order.createdAt}>{formatDay(order.createdAt)}</time>
      </p>
      {!order.payableByCard && !order.paid && !order.cancelledAt && (
        <p className="text-sm">
          Too large for a card, so it is paid on account: we ship it once we have approved it.
        </p>
      )}
      {order.reservedUntil && (
        <p className="text-sm text-muted">
          Reserved until{' '}
          <time dateTime={order.reservedUntil}>{formatMinute(order.reservedUntil)}</time>. If it is
          not {order.payableByCard ? 'paid' : 'approved'} by then, the order is cancelled.
        </p>
      )}
    </>
  );
}
