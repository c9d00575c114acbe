import { useRef, useState } from 'react';
import type { Order } from '@/api/types';
import { isRefunded, isShipped } from '@/features/orders/facts';
import { Button } from '@/ui/button';
import { messages } from '../messages';
import { useOrderKeys } from '../use-order-keys';
import { KeyboardHelp } from './keyboard-help';
import type { Action } from './order-actions';
import { OrderCard } from './order-card';

const { shipMany: text } = messages;

export const cardGrid = 'grid gap-6 xl:grid-cols-2';

const isShippable = (order: Order) => !isShipped(order) && !isRefunded(order) && !order.cancelledAt;

interface OrderCardsProps {
  orders: readonly Order[];
  onDone: (action: Action) => void;
  /** Asks whether to ship all of these. */
  onShip: (orders: readonly Order[]) => void;
}

/** The cards of a page: some of them can be selected and shipped at once, and keys go from one to the next. */
export function OrderCards({ orders, onDone, onShip }: OrderCardsProps) {
  const list = useRef<HTMLUListElement>(null);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const [help, setHelp] = useState(false);
  const shippable = orders.filter(isShippable);
  // What was shipped or paged away meanwhile is not selected any longer.
  const selected = shippable.filter(({ _id }) => marked.has(_id));

  const toggle = ({ _id }: Order) => {
    const next = new Set(marked);
    if (!next.delete(_id)) next.add(_id);
    setMarked(next);
  };
  const markAll = () => setMarked(new Set(shippable.map(({ _id }) => _id)));
  const markNone = () => setMarked(new Set());
  const { enabled, choose } = useOrderKeys({
    list,
    selectAll: selected.length < shippable.length ? markAll : markNone,
    shipSelected: () => {
      if (selected.length > 0) onShip(selected);
      return selected.length > 0;
    },
    onHelp: () => setHelp(true),
  });

  return (
    <>
      <div data-commands className="mb-6 flex flex-wrap items-center gap-3">
        {selected.length > 0 && (
          <Button aria-haspopup="dialog" onClick={() => onShip(selected)}>
            {text.button(selected.length)}
          </Button>
        )}
        {shippable.length > selected.length && (
          <Button variant="outline" onClick={markAll}>
            {text.selectAll}
          </Button>
        )}
        {selected.length > 0 && (
          <Button variant="ghost" onClick={markNone}>
            {text.clear}
          </Button>
        )}
        <Button variant="ghost" aria-haspopup="dialog" onClick={() => setHelp(true)}>
          {messages.keys.title}
        </Button>
      </div>
      <ul ref={list} className={cardGrid}>
        {orders.map((order) => (
          <li key={order._id} className="min-w-0">
            <OrderCard
              order={order}
              selected={isShippable(order) ? marked.has(order._id) : null}
              onSelect={toggle}
              onDone={onDone}
            />
          </li>
        ))}
      </ul>
      <KeyboardHelp
        open={help}
        enabled={enabled}
        onChoose={choose}
        onClose={() => setHelp(false)}
      />
    </>
  );
}
