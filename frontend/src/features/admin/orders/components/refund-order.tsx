import type { Order } from '@/api/types';
import { formatCount, formatMoney } from '@/lib/money';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { useRefundOrderMutation } from '../api';

/** Calls a paid order off that has not left, after the question: its money and its units go back. */
export function RefundOrder({
  order,
  onRefunded,
}: {
  order: Order;
  onRefunded: (order: Order) => void;
}) {
  const [refund] = useRefundOrderMutation();
  return (
    <ConfirmedButton
      label="Refund"
      context={order.productName}
      question="Refund this order and take it out of the queue?"
      note={`${formatMoney(order.price)} go back to ${order.name}, and ${formatCount(order.quantity)} units to the shelf.`}
      danger
      onConfirm={() => refund({ id: order._id, body: null })}
      onDone={() => onRefunded(order)}
    />
  );
}
