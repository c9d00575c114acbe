import type { Order } from '@/api/types';
import { CancelOrder } from '@/features/orders/components/cancel-order';
import { isRefunded, isShipped } from '@/features/orders/facts';
import type { messages } from '../messages';
import { RefundOrder } from './refund-order';
import { RefundPart } from './refund-part';
import { ShipOrder } from './ship-order';

/** What an admin did to an order. */
export interface Action {
  what: keyof typeof messages.done;
  order: Order;
}

/** All that an admin can do about an order: ship, delete, refund, and refund a part. */
export function OrderActions({
  order,
  onDone,
}: {
  order: Order;
  onDone: (action: Action) => void;
}) {
  return (
    <>
      {/* Named for the keys of the list. */}
      <span data-ship className="contents">
        <ShipOrder order={order} onShipped={() => onDone({ what: 'shipped', order })} />
      </span>
      {order.paid && !isShipped(order) && (
        <RefundOrder order={order} onRefunded={() => onDone({ what: 'refunded', order })} />
      )}
      {order.paid && (
        <RefundPart order={order} onDone={() => onDone({ what: 'partlyRefunded', order })} />
      )}
      {!isRefunded(order) && (
        <CancelOrder order={order} admin onCancelled={() => onDone({ what: 'deleted', order })} />
      )}
    </>
  );
}
