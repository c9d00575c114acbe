import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Order } from '@/api/types';
import { OrderFacts } from '@/features/orders/components/order-facts';
import { OrderHistory } from '@/features/orders/components/order-history';
import { OrderPicture } from '@/features/orders/components/order-picture';
import { OrderStatus, PaymentFact } from '@/features/orders/components/order-status';
import { OrderSum } from '@/features/orders/components/order-sum';
import { Ordered } from '@/features/orders/components/ordered';
import { messages as orderMessages } from '@/features/orders/messages';
import { formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { Empty } from '@/ui/empty';
import { PersistentAlert } from '@/ui/persistent-alert';
import { Skeleton } from '@/ui/skeleton';
import { type Action, OrderActions } from '../components/order-actions';
import { OrderList } from '../components/order-list';
import { OrderViews } from '../components/order-views';
import { messages } from '../messages';
import { useAllOrders } from '../use-all-orders';

const { cards: text } = messages;
const { facts } = orderMessages;

const grid = 'grid gap-6 xl:grid-cols-2';

function OrderCard({ order, onDone }: { order: Order; onDone: (action: Action) => void }) {
  return (
    <article
      className="card-surface grid h-full content-start gap-5 p-4 sm:p-6"
      aria-label={text.card(order.productName, order.name)}
    >
      <div className="grid gap-4 sm:grid-cols-[8rem_minmax(0,1fr)]">
        <div className="max-sm:hidden">
          <OrderPicture img={order.img} />
        </div>
        <div className="grid min-w-0 content-start gap-2">
          <Ordered order={order} />
          <h2 className="text-2xl normal-case">
            <Link
              to={paths.order(order._id)}
              className="inline-block py-1 decoration-2 underline-offset-4 hover:text-accent hover:underline"
            >
              {order.productName}
            </Link>
          </h2>
          <OrderStatus order={order} />
        </div>
      </div>
      <OrderFacts
        facts={[
          { name: facts.quantity, value: formatCount(order.quantity) },
          {
            name: facts.price,
            value: (
              <>
                {formatMoney(order.price)}
                <OrderSum order={order} />
              </>
            ),
          },
          { name: facts.payment, value: <PaymentFact order={order} /> },
          { name: facts.phone, value: order.phone },
          { name: facts.name, value: order.name, long: true },
          { name: facts.email, value: order.email, long: true },
          { name: facts.address, value: order.address, long: true },
        ]}
      />
      {!order.cancelledAt && (
        <div className="flex flex-wrap items-center gap-3">
          <OrderActions order={order} onDone={onDone} />
        </div>
      )}
      <OrderHistory id={order._id} />
    </article>
  );
}

function CardsSkeleton() {
  return (
    <div role="status" aria-label={messages.loading} className={grid}>
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

export default function OrdersPage() {
  const list = useAllOrders();
  const [done, setDone] = useState<Action | null>(null);

  return (
    <OrderList
      heading={text.heading(list.total)}
      list={list}
      said={
        done && (
          <PersistentAlert tone="success" onDismiss={() => setDone(null)}>
            <p className="font-semibold">{messages.done[done.what]}</p>
            <p className="text-muted">
              {messages.doneTo(done.order.quantity, done.order.productName, done.order.name)}
            </p>
          </PersistentAlert>
        )
      }
      views={<OrderViews list={list} />}
      skeleton={<CardsSkeleton />}
      nothing={<Empty title={text.empty}>{text.emptyHint}</Empty>}
    >
      {(orders) => (
        <ul className={grid}>
          {orders.map((order) => (
            <li key={order._id} className="min-w-0">
              <OrderCard order={order} onDone={setDone} />
            </li>
          ))}
        </ul>
      )}
    </OrderList>
  );
}
