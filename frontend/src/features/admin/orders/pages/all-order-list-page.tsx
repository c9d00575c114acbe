import type { Order } from '@/api/types';
import { OrderStatus, PaymentFact } from '@/features/orders/components/order-status';
import { formatCount, formatMoney } from '@/lib/money';
import { TABLE_NAME } from '@/lib/truncate';
import { usePageTitle } from '@/lib/use-page-title';
import { type Column, DataTable } from '@/ui/data-table';
import { TableSkeleton } from '@/ui/skeleton';
import { Empty, ErrorState } from '@/ui/states';
import { Truncated } from '@/ui/truncated';
import { useGetAllOrdersQuery } from '../api';
import { OrderList } from '../components/order-list';

const columns: readonly Column<Order>[] = [
  { header: 'No.', cell: (_order, index) => index + 1 },
  { header: 'Name', cell: (order) => order.name, className: 'break-words' },
  {
    header: 'Product Name',
    cell: (order) => <Truncated text={order.productName} length={TABLE_NAME} />,
    className: 'lg:whitespace-nowrap',
  },
  { header: 'Quantity', cell: (order) => formatCount(order.quantity), numeric: true },
  { header: 'Price', cell: (order) => formatMoney(order.price), numeric: true },
  { header: 'Payment', cell: (order) => <PaymentFact order={order} /> },
  { header: 'Status', cell: (order) => <OrderStatus order={order} /> },
];

export default function AllOrderListPage() {
  usePageTitle('All Order List');
  const { data, error, isError, isFetching, refetch } = useGetAllOrdersQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });

  return (
    <>
      <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">
        My Orders{data ? `: ${formatCount(data.length)}` : ''}
      </h1>
      {data ? (
        data.length === 0 ? (
          <Empty title="No Orders Yet">Every order of every customer will be listed here.</Empty>
        ) : (
          <OrderList orders={data}>
            {(page) => (
              <DataTable
                caption="All orders"
                columns={columns}
                rows={page}
                rowKey={(order) => order._id}
              />
            )}
          </OrderList>
        )
      ) : isError && !isFetching ? (
        <ErrorState title="The orders did not load" error={error} onRetry={refetch} />
      ) : (
        <TableSkeleton label="Loading orders" />
      )}
    </>
  );
}
