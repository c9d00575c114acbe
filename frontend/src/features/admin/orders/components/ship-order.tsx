import type { Order } from '@/api/types';
import { isShipped } from '@/features/orders/facts';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { useShipOrderMutation } from '../api';
import { messages } from '../messages';

const { ship: text } = messages;

/** Approves and ships, after the question; for an unpaid order the question says what that means. */
export function ShipOrder({
  order,
  onShipped,
}: {
  order: Order;
  onShipped: (order: Order) => void;
}) {
  const [ship] = useShipOrderMutation();
  return (
    <ConfirmedButton
      label={isShipped(order) ? text.shipped : text.approve}
      context={order.productName}
      variant="primary"
      disabled={isShipped(order)}
      title={text.title}
      question={text.question}
      note={order.paid ? undefined : text.onAccount}
      onConfirm={() => ship(order._id)}
      onDone={() => onShipped(order)}
    />
  );
}
