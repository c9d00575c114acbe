import { Link } from 'react-router-dom';
import type { Order } from '@/api/types';
import { OrderStatus, PaymentFact } from '@/features/orders/components/order-status';
import { OrderSum } from '@/features/orders/components/order-sum';
import { OrderReference } from '@/features/orders/components/ordered';
import { messages as orderMessages } from '@/features/orders/messages';
import { formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { TABLE_NAME } from '@/lib/truncate';
import { ButtonLink } from '@/ui/button';
import { type Column, DataTable } from '@/ui/data-table';
import { ErrorState } from '@/ui/error-state';
import { TableSkeleton } from '@/ui/table-skeleton';
import { Truncated } from '@/ui/truncated';
import { useListAllOrdersQuery } from '../../orders/api';
import { messages } from '../messages';

const { orders: text } = messages;
const { columns: headers } = orderMessages.list;

/** How many of the latest orders are shown; a link leads to the others. */
const SHOWN = 10;

const columns: readonly Column<Order>[] = [
  {
    header: headers.product,
    cell: (order) => (
      <>
        <Link to={paths.order(order._id)} className="link-accent inline-flex min-h-11 items-center">
          <Truncated text={order.productName} length={TABLE_NAME} />
        </Link>
        <OrderReference order={order} />
      </>
    ),
    className: 'md:min-w-28',
  },
  { header: headers.quantity, cell: (order) => formatCount(order.quantity), numeric: true },
  {
    header: headers.price,
    cell: (order) => (
      <>
        {formatMoney(order.price)}
        <OrderSum order={order} />
      </>
    ),
    numeric: true,
  },
  { header: headers.payment, cell: (order) => <PaymentFact order={order} /> },
  { header: headers.status, cell: (order) => <OrderStatus order={order} /> },
];

function Latest({ email, name }: { email: string; name: string }) {
  const { data, error, isError, isFetching, refetch } = useListAllOrdersQuery(
    { q: email, state: 'all', limit: SHOWN },
    { refetchOnMountOrArgChange: true },
  );
  if (data) {
    // The search finds the address anywhere in an order, also as a part of another address.
    const own = data.items.filter((order) => order.email === email);
    if (own.length === 0) return <p className="text-muted">{text.empty}</p>;
    return (
      <DataTable
        caption={text.caption(name)}
        columns={columns}
        rows={own}
        rowKey={(order) => order._id}
      />
    );
  }
  if (isError && !isFetching) {
    return <ErrorState title={text.failed} error={error} onRetry={refetch} />;
  }
  return <TableSkeleton rows={3} label={text.loading} />;
}

interface CustomerOrdersProps {
  email: string;
  name: string;
  /** How many orders there ever were. */
  total: number;
}

/** A customer's latest orders, canceled ones too, with the way to all of them. */
export function CustomerOrders({ email, name, total }: CustomerOrdersProps) {
  return (
    <section aria-labelledby="orders" className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <h2 id="orders" className="text-2xl">
        {text.heading}
      </h2>
      <Latest email={email} name={name} />
      {total > SHOWN && (
        <ButtonLink
          variant="outline"
          className="justify-self-start"
          to={`${paths.allOrders}?${new URLSearchParams({ q: email, state: 'all' })}`}
        >
          {text.all(formatCount(total))}
        </ButtonLink>
      )}
    </section>
  );
}
