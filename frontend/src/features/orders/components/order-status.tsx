import type { Order } from '@/api/types';
import { Badge } from '@/ui/badge';
import { isRefunded, isShipped } from '../facts';
import { messages } from '../messages';

/** Fulfilment, and what is owed (spec, section 2): 'Shipped' or 'Pending Approval', plus 'Not Paid yet' when unpaid. */
export function OrderStatus({ order }: { order: Order }) {
  // What waits for us is no trouble of the reader's; what waits for money is.
  const settled = order.paid || isRefunded(order);
  if (order.cancelledAt) return <Badge tone="neutral">{messages.status.canceled}</Badge>;
  return (
    <span className="flex flex-wrap gap-2">
      {isShipped(order) ? (
        <Badge tone="success">{messages.status.shipped}</Badge>
      ) : (
        <Badge tone={settled ? 'neutral' : 'warning'}>{messages.status.pending}</Badge>
      )}
      {!settled && <Badge tone="neutral">{messages.status.unpaid}</Badge>}
    </span>
  );
}

/** The payment as a fact, without a way to change it. */
export function PaymentFact({ order }: { order: Order }) {
  if (isRefunded(order)) return <Badge tone="neutral">{messages.payment.refunded}</Badge>;
  if (order.paid) return <Badge tone="success">{messages.payment.paid}</Badge>;
  return <span className="text-muted">{messages.payment.unpaid}</span>;
}

/** Both side by side, for where the payment has no place of its own. */
export function OrderBadges({ order }: { order: Order }) {
  return (
    <div className="flex flex-wrap gap-2">
      <OrderStatus order={order} />
      {(order.paid || isRefunded(order)) && <PaymentFact order={order} />}
    </div>
  );
}
