import { useState } from 'react';
import { readProblem } from '@/api/problem';
import type { Order } from '@/api/types';
import { isShipped } from '@/features/orders/facts';
import { Button } from '@/ui/button';
import { ConfirmDialog } from '@/ui/confirm-dialog';
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
  const [asking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [ship, { isLoading }] = useShipOrderMutation();

  const confirm = async () => {
    setFailure(null);
    const answer = await ship(order._id);
    if (answer.error) {
      setFailure(readProblem(answer.error).message);
      return;
    }
    setAsking(false);
    onShipped(order);
  };

  return (
    <>
      <Button
        disabled={isShipped(order)}
        aria-haspopup="dialog"
        onClick={() => {
          setFailure(null);
          setAsking(true);
        }}
      >
        {isShipped(order) ? 'Shipped' : 'Approve Booking'}
        <span className="sr-only"> {order.productName}</span>
      </Button>
      <ConfirmDialog
        open={asking}
        title="Approve Booking"
        question="Ship This Boat..!?"
        note={order.paid ? undefined : ON_ACCOUNT}
        busy={isLoading}
        error={failure}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
