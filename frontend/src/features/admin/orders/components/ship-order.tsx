import type { Order } from '@/api/types';
import { isShipped, partOf } from '@/features/orders/facts';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { useShipOrderMutation } from '../api';
import { messages } from '../messages';

const { ship: text } = messages;

/** Which of the orders it is, and what shipping an unpaid one means. */
function noteOf(order: Order): string {
  const what = text.note(order.quantity, partOf(order), order.name, order.address);
  return order.paid ? what : `${what} ${text.onAccount}`;
}

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
      // Without its money an order can wait.
      variant={order.paid ? 'primary' : 'outline'}
      disabled={isShipped(order)}
      title={text.title}
      question={text.question}
      note={noteOf(order)}
      onConfirm={() => ship(order._id)}
      onDone={() => onShipped(order)}
    />
  );
}
