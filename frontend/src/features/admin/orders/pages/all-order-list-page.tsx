import { Link } from 'react-router-dom';
import type { Order } from '@/api/types';
import { OrderStatus, PaymentFact } from '@/features/orders/components/order-status';
import { formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { TABLE_NAME } from '@/lib/truncate';
import { type Column, DataTable } from '@/ui/data-table';
import { Empty } from '@/ui/empty';
import { TableSkeleton } from '@/ui/table-skeleton';
import { Truncated } from '@/ui/truncated';
import { OrderList } from '../components/order-list';
import { useAllOrders } from '../use-all-orders';

const columns: readonly Column<Order>[] = [
  { header: 'No.', cell: (_order, index) => index + 1 },
  { header: 'Name', cell: (order) => order.name, className: 'break-words' },
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
  { header: 'Payment', cell: (order) => <PaymentFact order={order} /> },
  { header: 'Status', cell: (order) => <OrderStatus order={order} /> },
];

export default function AllOrderListPage() {
  const list = useAllOrders();
  return (
    <OrderList
      heading={`My Orders${list.total === undefined ? '' : `: ${formatCount(list.total)}`}`}
      list={list}
      skeleton={<TableSkeleton label="Loading orders" />}
      nothing={
        <Empty title="No Orders Yet">Every order of every customer will be listed here.</Empty>
      }
    >
      {(orders, offset) => (
        <DataTable
          caption="All orders"
          columns={columns}
          rows={orders}
          rowKey={(order) => order._id}
          offset={offset}
        />
      )}
    </OrderList>
  );
}
