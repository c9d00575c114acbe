import { Link } from 'react-router-dom';
import type { Order } from '@/api/types';
import { OrderFacts } from '@/features/orders/components/order-facts';
import { OrderHistory } from '@/features/orders/components/order-history';
import { OrderPicture } from '@/features/orders/components/order-picture';
import { OrderStatus, PaymentFact } from '@/features/orders/components/order-status';
import { OrderSum } from '@/features/orders/components/order-sum';
import { Ordered } from '@/features/orders/components/ordered';
import { orderName } from '@/features/orders/facts';
import { messages as orderMessages } from '@/features/orders/messages';
import { formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { messages } from '../messages';
import { CustomerLink } from './customer-link';
import { type Action, OrderActions } from './order-actions';

const { cards: text } = messages;
const { facts } = orderMessages;

interface OrderCardProps {
  order: Order;
  /** Null where it cannot be selected. */
  selected: boolean | null;
  onSelect: (order: Order) => void;
  onDone: (action: Action) => void;
}

/** One order of everybody's, with all that an admin can do about it. */
export function OrderCard({ order, selected, onSelect, onDone }: OrderCardProps) {
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
          { name: facts.name, value: <CustomerLink order={order} />, long: true },
          { name: facts.email, value: order.email, long: true },
          { name: facts.address, value: order.address, long: true },
        ]}
      />
      {!order.cancelledAt && (
        <div className="flex flex-wrap items-center gap-3">
          <OrderActions order={order} onDone={onDone} />
        </div>
      )}
      {selected !== null && (
        <label className="flex min-h-11 cursor-pointer items-center gap-3 font-semibold">
          <input
            type="checkbox"
            className="checkbox border-edge checked:border-primary checked:bg-primary checked:text-primary-content"
            checked={selected}
            onChange={() => onSelect(order)}
          />
          {messages.shipMany.select(orderName(order))}
        </label>
      )}
      <OrderHistory id={order._id} />
    </article>
  );
}
