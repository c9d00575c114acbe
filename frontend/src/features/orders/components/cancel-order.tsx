import type { Order } from '@/api/types';
import { ConfirmedButton } from '@/ui/confirmed-button';
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
  const [cancel] = useCancelOrderMutation();
  const lock = lockOf(order);
  const reasonId = `lock-${order._id}`;
  return (
    <>
      <ConfirmedButton
        label={label}
        context={order.productName}
        disabled={lock !== null}
        describedBy={lock ? reasonId : undefined}
        question={CANCEL_QUESTION}
        note={`${order.quantity} × ${order.productName}`}
        danger
        onConfirm={() => cancel(order._id)}
        // Gone already, from another tab: that is what was wanted.
        messageOf={({ status, message }) => (status === 404 ? null : message)}
        onDone={() => onCancelled(order)}
      />
      {lock && (
        <span id={reasonId} className="w-full text-sm text-muted">
          {lock}
        </span>
      )}
    </>
  );
}
