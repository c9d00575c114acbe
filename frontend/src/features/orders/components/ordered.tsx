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
      {order.reservedUntil && (
        <p className="text-sm text-muted">
          Reserved until{' '}
          <time dateTime={order.reservedUntil}>{formatMinute(order.reservedUntil)}</time>. If it is
          not paid by then, the order is cancelled.
        </p>
      )}
    </>
  );
}
