import { useState } from 'react';
import { readProblem } from '@/api/problem';
import type { Order } from '@/api/types';
import { Button } from '@/ui/button';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { useCancelOrderMutation } from '../api';
import { CANCEL_QUESTION, lockOf } from '../facts';

interface CancelOrderProps {
  order: Order;
  /** The button's words: 'Cancel order' for customers, 'Delete Order' for admins. */
  label: string;
  onCancelled: (order: Order) => void;
}

/** The button and its question. Where it is too late for that the button is off and says why. */
export function CancelOrder({ order, label, onCancelled }: CancelOrderProps) {
  const [asking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [cancel, { isLoading }] = useCancelOrderMutation();
  const lock = lockOf(order);
  const reasonId = `lock-${order._id}`;

  const confirm = async () => {
    setFailure(null);
    const answer = await cancel(order._id);
    // Gone already, from another tab: that is what was wanted.
    if (answer.error && readProblem(answer.error).status !== 404) {
      setFailure(readProblem(answer.error).message);
      return;
    }
    setAsking(false);
    onCancelled(order);
  };

  return (
    <>
      <Button
        look="outline"
        disabled={lock !== null}
        aria-describedby={lock ? reasonId : undefined}
        aria-haspopup="dialog"
        onClick={() => {
          setFailure(null);
          setAsking(true);
        }}
      >
        {label}
        <span className="sr-only"> {order.productName}</span>
      </Button>
      {lock && (
        <span id={reasonId} className="w-full text-sm text-muted">
          {lock}
        </span>
      )}
      <ConfirmDialog
        open={asking}
        title={label}
        question={CANCEL_QUESTION}
        note={`${order.quantity} × ${order.productName}`}
        danger
        busy={isLoading}
        error={failure}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
