import { Link } from 'react-router-dom';
import type { Order } from '@/api/types';
import { OrderStatus, PaymentFact } from '@/features/orders/components/order-status';
import { OrderSum } from '@/features/orders/components/order-sum';
import { orderName } from '@/features/orders/facts';
import { formatDay } from '@/lib/dates';
import { formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { messages } from '../messages';

const { latest: text } = messages;

export function LatestOrders({ orders }: { orders: readonly Order[] }) {
  return (
    <section
      aria-labelledby="latest-orders"
      className="card-surface grid min-w-0 content-start gap-5 p-4 sm:p-6"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-4">
        <h2 id="latest-orders" className="text-2xl">
          {text.title}
        </h2>
        {orders.length > 0 && (
          <Link to={paths.orders} className="link-accent">
            {text.all}
          </Link>
        )}
      </div>
      {orders.length > 0 ? (
        <ul className="divide-y divide-base-300">
          {orders.map((order) => (
            <li
              key={order._id}
              className="grid gap-x-6 gap-y-2 py-3 first:pt-0 last:pb-0 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center"
            >
              <div className="min-w-0">
                <Link
                  to={paths.order(order._id)}
                  className="inline-flex min-h-7 items-center font-semibold hover:text-accent hover:underline"
                >
                  {formatCount(order.quantity)} × {order.productName}
                </Link>
                <p className="text-sm break-words text-muted">
                  {order.name} · {orderName(order)} ·{' '}
                  <time dateTime={order.createdAt}>{formatDay(order.createdAt)}</time>
                </p>
              </div>
              <div className="flex flex-wrap items-center gap-2 sm:flex-col sm:items-end">
                <p className="font-semibold max-sm:mr-2 sm:text-right">
                  {formatMoney(order.price)}
                  <OrderSum order={order} />
                </p>
                <div className="flex flex-wrap gap-2 sm:justify-end">
                  {order.paid && <PaymentFact order={order} />}
                  <OrderStatus order={order} />
                </div>
              </div>
            </li>
          ))}
        </ul>
      ) : (
        <p className="grid min-h-40 place-content-center text-center text-muted">{text.empty}</p>
      )}
    </section>
  );
}
