import type { Order } from '@/api/types';
import { formatDay, formatMinute, orderName } from '../facts';
import { messages } from '../messages';

/** What the order is called and when it was placed; while it is unpaid, also until when its units are kept. */
export function Ordered({ order }: { order: Order }) {
  return (
    <>
      <p className="text-sm text-muted wrap-anywhere">
        {messages.placed.order(orderName(order))} · {messages.placed.ordered}{' '}
        <time dateTime={order.createdAt}>{formatDay(order.createdAt)}</time>
      </p>
      {!order.payableByCard && !order.paid && !order.cancelledAt && (
        <p className="text-sm">{messages.placed.onAccount}</p>
      )}
      {order.reservedUntil && (
        <p className="text-sm text-muted">
          {messages.placed.reservedUntil}{' '}
          <time dateTime={order.reservedUntil}>{formatMinute(order.reservedUntil)}</time>.{' '}
          {messages.placed.elseCanceled(order.payableByCard)}
        </p>
      )}
    </>
  );
}
