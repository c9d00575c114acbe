import { useState } from 'react';
import type { Order } from '@/api/types';
import { Empty } from '@/ui/empty';
import { PersistentAlert } from '@/ui/persistent-alert';
import { Skeleton } from '@/ui/skeleton';
import type { Action } from '../components/order-actions';
import { cardGrid, OrderCards } from '../components/order-cards';
import { OrderList } from '../components/order-list';
import { OrderViews } from '../components/order-views';
import { ShipMany, ShippedManyAlert } from '../components/ship-many';
import { messages } from '../messages';
import { useAllOrders } from '../use-all-orders';
import type { ShippedMany } from '../use-ship-many';

const { cards: text } = messages;

function CardsSkeleton() {
  return (
    <div role="status" aria-label={messages.loading} className={cardGrid}>
      {[0, 1, 2, 3].map((place) => (
        <div key={place} className="card-surface grid gap-4 p-6">
          <Skeleton className="h-8 w-2/3" />
          <Skeleton className="h-6 w-40" />
          <Skeleton className="h-40 w-full" />
          <Skeleton className="h-11 w-full max-w-64" />
        </div>
      ))}
    </div>
  );
}

/** What was done last, to one order or to several. */
type Said = Action | ShippedMany;

function SaidAlert({ said, onDismiss }: { said: Said; onDismiss: () => void }) {
  if ('refused' in said) return <ShippedManyAlert result={said} onDismiss={onDismiss} />;
  const { what, order } = said;
  return (
    <PersistentAlert tone="success" onDismiss={onDismiss}>
      <p className="font-semibold">{messages.done[what]}</p>
      <p className="text-muted">{messages.doneTo(order.quantity, order.productName, order.name)}</p>
    </PersistentAlert>
  );
}

export default function OrdersPage() {
  const list = useAllOrders();
  const [said, setSaid] = useState<Said | null>(null);
  // Not asked in the list, which may be empty once they are shipped.
  const [asked, setAsked] = useState<readonly Order[] | null>(null);

  return (
    <>
      <OrderList
        heading={text.heading(list.total)}
        list={list}
        said={said && <SaidAlert said={said} onDismiss={() => setSaid(null)} />}
        views={<OrderViews list={list} />}
        skeleton={<CardsSkeleton />}
        nothing={<Empty title={text.empty}>{text.emptyHint}</Empty>}
      >
        {(orders) => <OrderCards orders={orders} onDone={setSaid} onShip={setAsked} />}
      </OrderList>
      {asked && <ShipMany orders={asked} onClose={() => setAsked(null)} onDone={setSaid} />}
    </>
  );
}
