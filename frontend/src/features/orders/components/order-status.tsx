import type { Order } from '@/api/types';
import { Badge } from '@/ui/badge';
import { isRefunded, isShipped } from '../facts';

/** Fulfilment, and what is owed (spec, section 2): 'Shipped' or 'Pending Approval', plus 'Not Paid yet' when unpaid. */
export function OrderStatus({ order }: { order: Order }) {
  if (order.cancelledAt) return <Badge tone="neutral">Cancelled</Badge>;
  return (
    <span className="flex flex-wrap gap-2">
      {isShipped(order) ? (
        <Badge tone="success">Shipped</Badge>
      ) : (
        <Badge tone="warning">Pending Approval</Badge>
      )}
      {!order.paid && !isRefunded(order) && <Badge tone="neutral">Not Paid yet</Badge>}
    </span>
  );
}

/** The payment as a fact, without a way to change it. */
export function PaymentFact({ order }: { order: Order }) {
  if (isRefunded(order)) return <Badge tone="neutral">Refunded</Badge>;
  if (order.paid) return <Badge tone="success">Paid</Badge>;
  return <span className="text-muted">Unpaid</span>;
}
