import type { Order } from '@/api/types';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { useCancelOrderMutation } from '../api';
import { lockOf, orderName, partOf } from '../facts';
import { messages } from '../messages';

interface CancelOrderProps {
  order: Order;
  /** Admins delete what customers cancel. */
  admin?: boolean;
  onCancelled: (order: Order) => void;
}

/** The button and its question. Where it is too late for that the button is off and says why. */
export function CancelOrder({ order, admin = false, onCancelled }: CancelOrderProps) {
  const [cancel] = useCancelOrderMutation();
  const lock = lockOf(order);
  const reasons = admin ? messages.cancel.lockedForAdmin : messages.cancel.locked;
  const reasonId = `lock-${order._id}`;
  return (
    <>
      <ConfirmedButton
        label={admin ? messages.actions.delete : messages.actions.cancel}
        context={order.productName}
        disabled={lock !== null}
        describedBy={lock ? reasonId : undefined}
        question={messages.cancel.question}
        note={messages.cancel.note(orderName(order), order.quantity, partOf(order))}
        danger
        onConfirm={() => cancel(order._id)}
        // Gone already, from another tab: that is what was wanted.
        messageOf={({ status, message }) => (status === 404 ? null : message)}
        onDone={() => onCancelled(order)}
      />
      {lock && (
        <span id={reasonId} className="w-full text-sm text-muted">
          {reasons[lock]}
        </span>
      )}
    </>
  );
}
