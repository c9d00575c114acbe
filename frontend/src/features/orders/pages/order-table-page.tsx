import { Link } from 'react-router-dom';
import type { Order } from '@/api/types';
import { formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { TABLE_NAME } from '@/lib/truncate';
import { ButtonLink } from '@/ui/button';
import { type Column, DataTable } from '@/ui/data-table';
import { TableSkeleton } from '@/ui/table-skeleton';
import { Truncated } from '@/ui/truncated';
import { MyOrdersList } from '../components/my-orders-list';
import { OrderStatus, PaymentFact } from '../components/order-status';
import { OrderSum } from '../components/order-sum';
import { OrderReference } from '../components/ordered';
import { isPayable } from '../facts';
import { messages } from '../messages';
import { useMyOrders } from '../use-my-orders';

const { actions, list } = messages;
const { columns: headers } = list;

const columns: readonly Column<Order>[] = [
  { header: headers.place, cell: (_order, index) => index + 1 },
  { header: headers.name, cell: (order) => order.name, className: 'wrap-anywhere md:min-w-28' },
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
  {
    header: headers.payment,
    cell: (order) =>
      isPayable(order) ? (
        <ButtonLink to={paths.payment(order._id)} className="whitespace-nowrap">
          {actions.payNow}
          <span className="sr-only"> {actions.forPart(order.productName)}</span>
        </ButtonLink>
      ) : (
        <PaymentFact order={order} />
      ),
  },
  { header: headers.status, cell: (order) => <OrderStatus order={order} /> },
];

export default function OrderTablePage() {
  const answer = useMyOrders();
  const { data } = answer;
  return (
    <>
      <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">
        {list.tableHeading(data ? formatCount(data.length) : null)}
      </h1>
      <MyOrdersList
        answer={answer}
        skeleton={<TableSkeleton label={list.loading} />}
        hint={list.emptyTable}
      >
        {(orders) => (
          <DataTable
            caption={list.caption}
            columns={columns}
            rows={orders}
            rowKey={(order) => order._id}
          />
        )}
      </MyOrdersList>
    </>
  );
}
