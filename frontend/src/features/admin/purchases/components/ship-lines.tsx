import { problemOf } from '@/api/problem';
import { useSessionDispatch } from '@/features/accounts/session/use-session';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { notify } from '@/ui/notify';
import { shipOrder } from '../../orders/api';
import { lineState, numberOf } from '../facts';
import { messages } from '../messages';
import type { AnyPurchase } from '../wire';

const { ship: text } = messages;

/** Ships all lines that are paid, one after the other; one that is refused holds up no other. */
export function ShipLines({ purchase }: { purchase: AnyPurchase }) {
  const dispatch = useSessionDispatch();
  const ready = purchase.lines.filter((line) => lineState(line) === 'paid');
  if (ready.length === 0) return null;
  const ship = async () => {
    const reasons: string[] = [];
    for (const { orderId } of ready) {
      const { error } = await dispatch(shipOrder.initiate(orderId));
      if (error) reasons.push(problemOf(error).message);
    }
    const [reason] = reasons;
    const shipped = ready.length - reasons.length;
    if (reason) notify.error(text.partly(shipped, reasons.length, reason));
    else notify.success(text.done(shipped));
    return {};
  };
  return (
    <ConfirmedButton
      label={text.button(ready.length)}
      context={messages.name(numberOf(purchase))}
      variant="primary"
      title={text.title}
      question={text.question(ready.length, purchase.contact.name)}
      note={text.note}
      onConfirm={ship}
    />
  );
}
