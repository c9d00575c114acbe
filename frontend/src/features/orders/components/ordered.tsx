import type { Order } from '@/api/types';
import { formatDay, formatTime } from '@/lib/dates';
import { orderName } from '../facts';
import { messages } from '../messages';

const { placed } = messages;

/** What an order is called, when it was placed and the number of its part: for where the product's name is. */
export function OrderReference({ order }: { order: Order }) {
  return (
    <p className="text-sm text-muted wrap-anywhere">
      {placed.order(orderName(order))} ·{' '}
      <time dateTime={order.createdAt}>{formatDay(order.createdAt)}</time>
      {order.partNumber && (
        <>
          {' · '}
          <span className="whitespace-nowrap">{placed.part(order.partNumber)}</span>
        </>
      )}
    </p>
  );
}

/** The same; while it is unpaid, also until when its units are kept. */
export function Ordered({ order }: { order: Order }) {
  return (
    <>
      <OrderReference order={order} />
      {!order.payableByCard && !order.paid && !order.cancelledAt && (
        <p className="text-sm">{placed.onAccount}</p>
      )}
      {order.reservedUntil && (
        <p className="text-sm text-muted">
          {placed.reservedUntil}{' '}
          <time dateTime={order.reservedUntil}>{formatTime(order.reservedUntil)}</time>.{' '}
          {placed.elseCanceled(order.payableByCard)}
        </p>
      )}
    </>
  );
}
