import { useState } from 'react';
import { readProblem } from '@/api/problem';
import type { Order } from '@/api/types';
import { formatCount, formatMoney } from '@/lib/money';
import { Button } from '@/ui/button';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { useRefundOrderMutation } from '../api';

/** Calls a paid order off that has not left, after the question: its money and its units go back. */
export function RefundOrder({
  order,
  onRefunded,
}: {
  order: Order;
  onRefunded: (order: Order) => void;
}) {
  const [asking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [refund, { isLoading }] = useRefundOrderMutation();

  const confirm = async () => {
    setFailure(null);
    const answer = await refund(order._id);
    if (answer.error) {
      setFailure(readProblem(answer.error).message);
      return;
    }
    setAsking(false);
    onRefunded(order);
  };

  return (
    <>
      <Button
        look="outline"
        aria-haspopup="dialog"
        onClick={() => {
          setFailure(null);
          setAsking(true);
        }}
      >
        Refund
        <span className="sr-only"> {order.productName}</span>
      </Button>
      <ConfirmDialog
        open={asking}
        title="Refund"
        question="Refund this order and take it out of the queue?"
        note={`${formatMoney(order.price)} go back to ${order.name}, and ${formatCount(order.quantity)} units to the shelf.`}
        danger
        busy={isLoading}
        error={failure}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
