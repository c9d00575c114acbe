import { useEffect, useId, useRef, useState } from 'react';
import type { Order } from '@/api/types';
import { orderName, partOf } from '@/features/orders/facts';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { PersistentAlert } from '@/ui/persistent-alert';
import { messages } from '../messages';
import { type ShippedMany, useShipMany } from '../use-ship-many';

const { shipMany: text } = messages;

interface ShipManyProps {
  orders: readonly Order[];
  onClose: () => void;
  onDone: (result: ShippedMany) => void;
}

/** One question for several orders, which it lists; then how far it is. */
export function ShipMany({ orders, onClose, onDone }: ShipManyProps) {
  const { shipMany, finished } = useShipMany();
  const [busy, setBusy] = useState(false);
  const questionId = useId();
  const safe = useRef<HTMLButtonElement>(null);
  // As with every question, whoever presses Enter without having read it changes nothing.
  useEffect(() => safe.current?.focus(), []);
  const unpaid = orders.filter(({ paid }) => !paid).length;

  const ship = async () => {
    setBusy(true);
    const result = await shipMany(orders);
    onClose();
    onDone(result);
  };

  return (
    <Dialog
      open
      asks={questionId}
      title={messages.ship.title}
      onClose={onClose}
      locked={busy}
      footer={
        <>
          <Button ref={safe} variant="outline" onClick={onClose} disabled={busy}>
            {text.cancel}
          </Button>
          <Button onClick={ship} busy={busy}>
            {text.button(orders.length)}
          </Button>
        </>
      }
    >
      <div id={questionId}>
        <p className="text-lg">{text.question(orders.length)}</p>
        <ul className="mt-2 grid gap-2">
          {orders.map((order) => (
            <li key={order._id} className="text-sm wrap-anywhere">
              {text.line(orderName(order), order.quantity, partOf(order), order.name)}
            </li>
          ))}
        </ul>
        {unpaid > 0 && <p className="mt-2 text-muted">{text.unpaid(unpaid, orders.length)}</p>}
      </div>
      {busy && (
        <div role="status" className="mt-4 grid gap-1.5">
          <progress
            aria-label={text.progressLabel}
            max={orders.length}
            value={finished}
            className="h-2 w-full overflow-hidden rounded-full accent-primary"
          />
          <span className="text-sm text-muted">{text.progress(finished, orders.length)}</span>
        </div>
      )}
    </Dialog>
  );
}

/** What came of it, those that were refused by name. */
export function ShippedManyAlert({
  result: { shipped, refused },
  onDismiss,
}: {
  result: ShippedMany;
  onDismiss: () => void;
}) {
  return (
    <PersistentAlert tone={refused.length > 0 ? 'error' : 'success'} onDismiss={onDismiss}>
      {shipped > 0 && (
        <>
          <p className="font-semibold">{messages.done.shipped}</p>
          <p className="text-muted">{text.done(shipped)}</p>
        </>
      )}
      {refused.length > 0 && (
        <>
          <p className="font-semibold">{text.refused(refused.length)}</p>
          <ul>
            {refused.map(({ order, reason }) => (
              <li key={order._id}>{text.refusal(orderName(order), order.name, reason)}</li>
            ))}
          </ul>
        </>
      )}
    </PersistentAlert>
  );
}
