import { Link } from 'react-router-dom';
import type { Order } from '@/api/types';
import { formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { TABLE_NAME } from '@/lib/truncate';
import { ButtonLink } from '@/ui/button';
import { type Column, DataTable } from '@/ui/data-table';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { TableSkeleton } from '@/ui/table-skeleton';
import { Truncated } from '@/ui/truncated';
import { OrderStatus, PaymentFact } from '../components/order-status';
import { isPayable } from '../facts';
import { useMyOrders } from '../use-my-orders';

const columns: readonly Column<Order>[] = [
  { header: 'No.', cell: (_order, index) => index + 1 },
  { header: 'Name', cell: (order) => order.name, className: 'wrap-anywhere md:min-w-28' },
  {
    header: 'Product Name',
    cell: (order) => (
      <Link to={paths.order(order._id)} className="link-accent inline-flex min-h-11 items-center">
        <Truncated text={order.productName} length={TABLE_NAME} />
      </Link>
    ),
    className: 'lg:whitespace-nowrap',
  },
  { header: 'Quantity', cell: (order) => formatCount(order.quantity), numeric: true },
  { header: 'Price', cell: (order) => formatMoney(order.price), numeric: true },
  {
    header: 'Payment',
    cell: (order) =>
      isPayable(order) ? (
        <ButtonLink to={paths.payment(order._id)} className="whitespace-nowrap">
          Pay Now<span className="sr-only"> for {order.productName}</span>
        </ButtonLink>
      ) : (
        <PaymentFact order={order} />
      ),
  },
  { header: 'Status', cell: (order) => <OrderStatus order={order} /> },
];

export default function OrderTablePage() {
  const { data, error, isError, isFetching, refused, refetch } = useMyOrders();

  return (
    <>
      <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">
        My Orders{data ? `: ${formatCount(data.length)}` : ''}
      </h1>
      {data ? (
        data.length === 0 ? (
          <Empty
            title="No orders yet"
            action={<ButtonLink to={paths.shop}>Go to the shop</ButtonLink>}
          >
            Whatever you order stands here, with its payment and where it is.
          </Empty>
        ) : (
          <DataTable
            caption="My orders"
            columns={columns}
            rows={data}
            rowKey={(order) => order._id}
          />
        )
      ) : isError && !isFetching && !refused ? (
        <ErrorState title="Your orders did not load" error={error} onRetry={refetch} />
      ) : (
        <TableSkeleton label="Loading orders" />
      )}
    </>
  );
}
