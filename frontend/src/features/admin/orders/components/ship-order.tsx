import type { Order } from '@/api/types';
import { isShipped } from '@/features/orders/facts';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { useShipOrderMutation } from '../api';

const ON_ACCOUNT =
  'This order is not paid yet. Shipping it approves it on account: it stays open for payment.';

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
      label={isShipped(order) ? 'Shipped' : 'Approve Booking'}
      context={order.productName}
      variant="primary"
      disabled={isShipped(order)}
      title="Approve Booking"
      question="Ship This Boat..!?"
      note={order.paid ? undefined : ON_ACCOUNT}
      onConfirm={() => ship(order._id)}
      onDone={() => onShipped(order)}
    />
  );
}
