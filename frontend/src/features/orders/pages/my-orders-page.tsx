import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Order } from '@/api/types';
import { formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { Button, ButtonLink } from '@/ui/button';
import { PersistentAlert } from '@/ui/persistent-alert';
import { Skeleton } from '@/ui/skeleton';
import { CancelOrder } from '../components/cancel-order';
import { MyOrdersList } from '../components/my-orders-list';
import { OrderAgain } from '../components/order-again';
import { OrderFacts } from '../components/order-facts';
import { OrderHistory } from '../components/order-history';
import { OrderPicture } from '../components/order-picture';
import { OrderBadges } from '../components/order-status';
import { OrderSum } from '../components/order-sum';
import { Ordered } from '../components/ordered';
import { PurchaseLink } from '../components/purchase-link';
import { isOpen, isRefunded } from '../facts';
import { messages } from '../messages';
import { useMyOrders } from '../use-my-orders';

const { actions, facts, list, payment } = messages;

const card = 'card-surface grid gap-6 p-4 sm:grid-cols-[12rem_minmax(0,1fr)] sm:p-6';

function OrderCard({ order, onCancelled }: { order: Order; onCancelled: (order: Order) => void }) {
  return (
    <article className={card} aria-label={list.card(order.productName)}>
      <OrderPicture img={order.img} />
      <div className="grid min-w-0 content-start gap-5">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
          <div className="grid min-w-0 flex-1 basis-64 gap-2">
            <Ordered order={order} />
            <h2 className="text-2xl normal-case wrap-anywhere sm:text-3xl">
              <Link to={paths.order(order._id)} className="hover:text-accent hover:underline">
                {order.productName}
              </Link>
            </h2>
            <OrderBadges order={order} />
          </div>
          <p className="min-w-0 sm:text-right">
            <span className="block text-sm text-muted">{facts.price}</span>
            <span className="font-display text-4xl leading-none font-bold wrap-anywhere">
              {formatMoney(order.price)}
            </span>
            <OrderSum order={order} />
          </p>
        </div>
        <OrderFacts
          wide
          facts={[
            { name: facts.category, value: order.category },
            { name: facts.quantity, value: formatCount(order.quantity) },
            { name: facts.name, value: order.name },
            { name: facts.email, value: order.email, long: true },
          ]}
        />
        <div>
          <p className="text-sm text-muted">{facts.details}</p>
          <p>{order.details}</p>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          {(order.paid || isRefunded(order)) && (
            <Button disabled>{order.paid ? payment.paid : payment.refunded}</Button>
          )}
          {isOpen(order) && order.payableByCard && (
            <ButtonLink to={paths.payment(order._id)}>
              {actions.payment}
              <span className="sr-only"> {actions.forPart(order.productName)}</span>
            </ButtonLink>
          )}
          <OrderAgain order={order} />
          <PurchaseLink order={order} />
          {isOpen(order) && <CancelOrder order={order} onCancelled={onCancelled} />}
        </div>
        <OrderHistory id={order._id} />
      </div>
    </article>
  );
}

function CardsSkeleton() {
  return (
    <div role="status" aria-label={list.loading} className="grid gap-6">
      {[0, 1, 2].map((place) => (
        <div key={place} className={card}>
          <Skeleton className="aspect-4/3 w-full self-start rounded-field" />
          <div className="grid content-start gap-4">
            <Skeleton className="h-8 w-2/3" />
            <Skeleton className="h-6 w-40" />
            <Skeleton className="h-20 w-full" />
            <Skeleton className="h-11 w-56" />
          </div>
        </div>
      ))}
    </div>
  );
}

export default function MyOrdersPage() {
  const answer = useMyOrders();
  const [cancelled, setCancelled] = useState<Order | null>(null);

  return (
    <>
      <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">{list.cardsHeading}</h1>
      {cancelled && (
        <PersistentAlert tone="success" onDismiss={() => setCancelled(null)}>
          {messages.cancel.done(cancelled.quantity, cancelled.productName)}
        </PersistentAlert>
      )}
      <MyOrdersList answer={answer} skeleton={<CardsSkeleton />} hint={list.emptyCards}>
        {(orders) => (
          <ul className="grid gap-6">
            {orders.map((order) => (
              <li key={order._id}>
                <OrderCard order={order} onCancelled={setCancelled} />
              </li>
            ))}
          </ul>
        )}
      </MyOrdersList>
    </>
  );
}
