import type { Order } from '@/api/types';
import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { messages } from '../messages';
import { OrderActions } from './order-actions';

interface OrderPageActionsProps {
  order: Order;
  /** With what is to be said, and whether the order is gone by it. */
  onDone: (said: string, gone: boolean) => void;
}

/** What only admins find on the page of an order. */
export default function OrderPageActions({ order, onDone }: OrderPageActionsProps) {
  return (
    <>
      <OrderActions
        order={order}
        onDone={({ what }) =>
          onDone(messages.done[what], what === 'deleted' || what === 'refunded')
        }
      />
      <ButtonLink
        variant="ghost"
        to={`${paths.allOrders}?${new URLSearchParams({ q: order.email })}`}
      >
        {messages.ordersOfCustomer}
      </ButtonLink>
      <ButtonLink variant="ghost" to={paths.customer(order.email)}>
        {messages.customer}
      </ButtonLink>
    </>
  );
}
