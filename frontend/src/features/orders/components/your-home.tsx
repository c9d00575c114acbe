import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Order, Person } from '@/api/types';
import { useUser } from '@/features/accounts/session/use-session';
import { formatBigMoney, toCents, toDollars } from '@/lib/money';
import { paths } from '@/lib/paths';
import { type Recent, readRecent, VIEWED } from '@/lib/recent';
import { Button, ButtonLink } from '@/ui/button';
import { ProductPicture } from '@/ui/product-picture';
import { Skeleton } from '@/ui/skeleton';
import { useListOrdersQuery } from '../api';
import { isPayable } from '../facts';
import { homeMessages as messages } from '../home-messages';
import { OrderAgain } from './order-again';

/** As many as a panel has room for. */
const SHOWN = 3;

/** Each panel is as high as the others, whatever is in it: Home keeps that room from its first paint on. */
function Panel({ id, heading, children }: { id: string; heading: string; children: ReactNode }) {
  return (
    <section
      aria-labelledby={id}
      className="card-surface flex h-64 w-72 shrink-0 flex-col gap-3 overflow-hidden p-4 lg:w-auto"
    >
      <h2 id={id} className="text-xl">
        {heading}
      </h2>
      {children}
    </section>
  );
}

function Waiting() {
  return <Skeleton className="h-28 w-full" />;
}

function Unpaid({ orders }: { orders: readonly Order[] }) {
  const { unpaid: text } = messages;
  const [first] = orders;
  if (!first) {
    return (
      <>
        <p className="flex-1 text-muted">{text.none}</p>
        <ButtonLink variant="outline" to={paths.myOrders}>
          {text.orders}
        </ButtonLink>
      </>
    );
  }
  const cents = orders.reduce((sum, { price }) => sum + toCents(price), 0);
  return (
    <>
      <p className="flex-1">
        <span className="block font-display text-4xl leading-none font-bold">
          {formatBigMoney(toDollars(cents))}
        </span>
        <span className="text-muted">{text.count(orders.length)}</span>
      </p>
      {orders.length === 1 ? (
        <ButtonLink to={paths.payment(first._id)}>{text.pay}</ButtonLink>
      ) : (
        <ButtonLink to={paths.myOrders}>{text.all}</ButtonLink>
      )}
    </>
  );
}

/** The latest order of each part. */
function latestOfEach(orders: readonly Order[]): Order[] {
  const found = new Map<string, Order>();
  for (const order of orders) {
    if (!found.has(order.productId)) found.set(order.productId, order);
  }
  return [...found.values()].slice(0, SHOWN);
}

function Row({ img, children, action }: { img: string; children: ReactNode; action?: ReactNode }) {
  return (
    <li className="flex items-center gap-3">
      <span className="w-11 shrink-0">
        <ProductPicture img={img} alt="" sizes="44px" className="rounded-field" />
      </span>
      <div className="min-w-0 flex-1">{children}</div>
      {action}
    </li>
  );
}

function Again({ orders }: { orders: readonly Order[] }) {
  const { again: text } = messages;
  if (orders.length === 0) return <p className="text-muted">{text.none}</p>;
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {latestOfEach(orders).map((order) => (
        <Row key={order._id} img={order.img} action={<OrderAgain order={order} short />}>
          <Link
            to={paths.order(order._id)}
            className="block truncate font-semibold hover:underline"
            title={order.productName}
          >
            {order.productName}
          </Link>
          <span className="block truncate text-sm text-muted">{text.units(order.quantity)}</span>
        </Row>
      ))}
    </ul>
  );
}

function Viewed({ parts }: { parts: readonly Recent[] }) {
  const { viewed: text } = messages;
  if (parts.length === 0) return <p className="text-muted">{text.none}</p>;
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
      {parts.slice(0, SHOWN).map(({ to, label, detail, img = '' }) => (
        <Row key={to} img={img}>
          <Link to={to} className="block truncate font-semibold hover:underline" title={label}>
            {label}
          </Link>
          {detail && <span className="block truncate text-sm text-muted">{detail}</span>}
        </Row>
      ))}
    </ul>
  );
}

function Panels({ user }: { user: Person }) {
  const { data, isError, isFetching, refetch } = useListOrdersQuery(
    { email: user.email },
    { refetchOnMountOrArgChange: true },
  );
  const ofOrders = (content: (orders: readonly Order[]) => ReactNode) => {
    if (data) return content(data);
    if (!isError || isFetching) return <Waiting />;
    return (
      <>
        <p role="alert" className="flex-1">
          {messages.failed}
        </p>
        <Button variant="outline" onClick={() => void refetch()}>
          {messages.retry}
        </Button>
      </>
    );
  };
  return (
    <div className="hide-scrollbar shell flex gap-4 overflow-x-auto lg:grid lg:grid-cols-3">
      <Panel id="home-unpaid" heading={messages.unpaid.heading}>
        {ofOrders((orders) => (
          <Unpaid orders={orders.filter(isPayable)} />
        ))}
      </Panel>
      <Panel id="home-again" heading={messages.again.heading}>
        {ofOrders((orders) => (
          <Again orders={orders} />
        ))}
      </Panel>
      <Panel id="home-viewed" heading={messages.viewed.heading}>
        <Viewed parts={readRecent(VIEWED, user.email)} />
      </Panel>
    </div>
  );
}

/** What somebody comes back for: what they owe, what they order, what they looked at. */
export default function YourHome() {
  const user = useUser();
  return user && <Panels key={user.email} user={user} />;
}
