import { Link } from 'react-router-dom';
import type { Order } from '@/api/types';
import { OrderStatus, PaymentFact } from '@/features/orders/components/order-status';
import { OrderSum } from '@/features/orders/components/order-sum';
import { OrderReference } from '@/features/orders/components/ordered';
import { messages as orderMessages } from '@/features/orders/messages';
import { formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { TABLE_NAME } from '@/lib/truncate';
import { type Column, DataTable } from '@/ui/data-table';
import { Empty } from '@/ui/empty';
import { TableSkeleton } from '@/ui/table-skeleton';
import { Truncated } from '@/ui/truncated';
import { headerSort } from '../../shared/header-sort';
import { CustomerLink } from '../components/customer-link';
import { OrderList } from '../components/order-list';
import { messages } from '../messages';
import { useAllOrders } from '../use-all-orders';

const { table: text } = messages;
const { columns: headers } = orderMessages.list;

const columnsFor = (
  address: ReturnType<typeof useAllOrders>['address'],
): readonly Column<Order>[] => [
  { header: headers.place, cell: (_order, index) => index + 1 },
  {
    header: headers.name,
    cell: (order) => <CustomerLink order={order} />,
    className: 'break-words',
  },
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
    sort: headerSort(address, { ascending: 'price', descending: '-price' }),
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

export default function AllOrderListPage() {
  const list = useAllOrders();
  return (
    <OrderList
      heading={text.heading(list.total)}
      list={list}
      skeleton={<TableSkeleton label={messages.loading} />}
      nothing={<Empty title={text.empty}>{text.emptyHint}</Empty>}
    >
      {(orders, offset) => (
        <DataTable
          caption={text.caption}
          columns={columnsFor(list.address)}
          rows={orders}
          rowKey={(order) => order._id}
          offset={offset}
        />
      )}
    </OrderList>
  );
}
