import type { Order } from '@/api/types';
import { formatMoney } from '@/lib/money';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { useRefundOrderMutation } from '../api';
import { messages } from '../messages';

const { refund: text } = messages;

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
      label={text.button}
      context={order.productName}
      question={text.question}
      note={text.note(formatMoney(order.price), order.name, order.quantity)}
      danger
      onConfirm={() => refund({ id: order._id, body: null })}
      onDone={() => onRefunded(order)}
    />
  );
}
