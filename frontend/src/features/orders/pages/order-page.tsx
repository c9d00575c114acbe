import { ArrowLeft } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { hasStatus } from '@/api/problem';
import type { Order, OrderEvent } from '@/api/types';
import { useRole, useUser } from '@/features/accounts/session/use-session';
import { OrderDocuments } from '@/features/documents/components/order-documents';
import { OrderShipments } from '@/features/shipments/components/order-shipments';
import { formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { retryingLazy } from '@/lib/retrying-lazy';
import { usePageTitle } from '@/lib/use-page-title';
import { BigPrice } from '@/ui/big-price';
import { ButtonLink } from '@/ui/button';
import { cx } from '@/ui/cx';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { PersistentAlert } from '@/ui/persistent-alert';
import { Skeleton } from '@/ui/skeleton';
import { useGetOrderQuery, useListOrderEventsQuery } from '../api';
import { CancelOrder } from '../components/cancel-order';
import { OrderAgain } from '../components/order-again';
import { OrderFacts } from '../components/order-facts';
import { OrderPicture } from '../components/order-picture';
import { OrderBadges } from '../components/order-status';
import { OrderSum } from '../components/order-sum';
import { OrderTimeline, Timeline } from '../components/order-timeline';
import { Ordered } from '../components/ordered';
import { PurchaseLink } from '../components/purchase-link';
import { isPayable, isRefunded, isShipped, orderName, vehicleOf } from '../facts';
import { messages } from '../messages';
import { PrintOrder } from '../paper/print-order';

const { actions, facts, history, page } = messages;

const columns =
  'grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,1fr)_21rem]';
const panel = 'card-surface grid grid-cols-[minmax(0,1fr)] content-start gap-5 p-4 sm:p-6';

function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="mb-4 inline-flex min-h-11 items-center gap-2 text-muted hover:text-base-content hover:underline print:hidden"
    >
      <ArrowLeft aria-hidden="true" className="size-4" />
      {children}
    </Link>
  );
}

function History({ children }: { children: ReactNode }) {
  return (
    <section aria-labelledby="history" className={panel}>
      <h2 id="history" className="text-2xl">
        {history.heading}
      </h2>
      {children}
    </section>
  );
}

/** What admins do about an order is theirs to load. */
const AdminActions = retryingLazy(
  () =>
    import(
      /* webpackChunkName: "admin-order" */ '@/features/admin/orders/components/order-page-actions'
    ),
);

const OrderNotes = retryingLazy(
  () =>
    import(/* webpackChunkName: "admin-order" */ '@/features/admin/notes/components/order-notes'),
);

const OrderReturns = retryingLazy(
  () =>
    import(/* webpackChunkName: "order-returns" */ '@/features/returns/components/order-returns'),
);

function AdminNotes({ id }: { id: string }) {
  return (
    <Suspense fallback={<Skeleton className="h-56 w-full rounded-box" />}>
      <OrderNotes id={id} />
    </Suspense>
  );
}

/** Who is looking, and what becomes of what they do. */
interface DetailProps {
  order: Order;
  own: boolean;
  admin: boolean;
  onDone: (said: string, gone: boolean) => void;
}

/** Only what has left can come back. */
function Returns({ order, own, admin, onDone }: DetailProps) {
  if (!isShipped(order)) return null;
  return (
    <Suspense fallback={<Skeleton className="h-40 w-full rounded-box" />}>
      <OrderReturns
        order={order}
        own={own}
        admin={admin}
        className={panel}
        onDone={(said) => onDone(said, false)}
      />
    </Suspense>
  );
}

/** What has left of it. Whoever waits for their money to arrive, or for us, knows that nothing has. */
function Shipments({ order, admin, onDone }: DetailProps) {
  if (!admin && !order.paid && !isShipped(order)) return null;
  return (
    <OrderShipments
      order={order}
      admin={admin}
      className={panel}
      onDone={(said) => onDone(said, false)}
    />
  );
}

/** What was issued about it, once it was paid or shipped. */
function Documents({ order, admin }: DetailProps) {
  if (!order.paid && !isShipped(order)) return null;
  return <OrderDocuments order={order} admin={admin} className={panel} />;
}

/** What can be done about it now, by who is looking. */
function OrderActions({ order, own, admin, onDone }: DetailProps) {
  return (
    <div data-commands className="flex flex-wrap gap-3 print:hidden xl:flex-col xl:flex-nowrap">
      {own && isPayable(order) && (
        <ButtonLink to={paths.payment(order._id)}>
          {actions.payNow}
          <span className="sr-only"> {actions.forPart(order.productName)}</span>
        </ButtonLink>
      )}
      <OrderAgain order={order} />
      {admin ? (
        <Suspense fallback={<Skeleton className="h-11 w-full" />}>
          <AdminActions order={order} onDone={onDone} />
        </Suspense>
      ) : (
        !order.paid &&
        !isRefunded(order) && (
          <CancelOrder
            order={order}
            onCancelled={() =>
              onDone(messages.cancel.done(order.quantity, order.productName), true)
            }
          />
        )
      )}
      <PrintOrder order={order} kinds={admin ? ['summary', 'note'] : ['summary']} />
    </div>
  );
}

function Detail(props: DetailProps) {
  const { order } = props;
  return (
    <>
      <header className="mb-8 grid gap-3">
        <Ordered order={order} />
        <h1 className="heading-mark text-4xl normal-case wrap-anywhere sm:text-5xl">
          {order.productName}
        </h1>
        <OrderBadges order={order} />
        <PurchaseLink order={order} />
      </header>
      <div className={columns}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6 xl:col-start-2">
          <section aria-labelledby="total" className={panel}>
            <div>
              <h2 id="total" className="font-sans text-sm font-normal normal-case text-muted">
                {facts.price}
              </h2>
              <p>
                <BigPrice dollars={order.price} />
              </p>
              <p className="mt-2">
                <OrderSum order={order} />
              </p>
            </div>
            <OrderActions {...props} />
          </section>
          <Shipments {...props} />
          <Returns {...props} />
          <Documents {...props} />
          <History>
            <OrderTimeline id={order._id} />
          </History>
          {props.admin && <AdminNotes id={order._id} />}
        </div>
        <section aria-labelledby="facts" className={cx(panel, 'xl:col-start-1 xl:row-start-1')}>
          <h2 id="facts" className="sr-only">
            {page.heading}
          </h2>
          <div className="grid gap-6 sm:grid-cols-[15rem_minmax(0,1fr)]">
            <OrderPicture img={order.img} />
            <OrderFacts
              facts={[
                { name: facts.category, value: order.category, long: true },
                { name: facts.quantity, value: formatCount(order.quantity) },
                { name: facts.unitPrice, value: formatMoney(order.unitPrice) },
                ...(order.vehicle
                  ? [{ name: facts.vehicle, value: vehicleOf(order), long: true, text: true }]
                  : []),
                { name: facts.details, value: order.details, long: true, text: true },
              ]}
            />
          </div>
          <div className="ticks text-edge" aria-hidden="true" />
          <OrderFacts
            facts={[
              { name: facts.name, value: order.name },
              { name: facts.phone, value: order.phone },
              { name: facts.email, value: order.email, long: true },
              { name: facts.address, value: order.address, long: true },
              ...(order.payment
                ? [{ name: facts.transaction, value: order.payment.transactionId, long: true }]
                : []),
              ...(order.partNumber ? [{ name: facts.partNumber, value: order.partNumber }] : []),
              { name: facts.number, value: orderName(order), long: true },
            ]}
          />
        </section>
      </div>
    </>
  );
}

function OrderSkeleton() {
  return (
    <>
      <h1 className="sr-only">{page.heading}</h1>
      <div role="status" aria-label={page.loading}>
        <div className="mb-8 grid gap-4">
          <Skeleton className="h-5 w-36" />
          <Skeleton className="h-11 w-3/4" />
          <Skeleton className="h-6 w-48" />
        </div>
        <div className={columns}>
          <div className={panel}>
            <div className="grid gap-6 sm:grid-cols-[15rem_minmax(0,1fr)]">
              <Skeleton className="aspect-4/3 w-full rounded-field" />
              <Skeleton className="h-40 w-full" />
            </div>
            <Skeleton className="h-44 w-full" />
          </div>
          <div className="grid gap-6">
            <Skeleton className="h-64 w-full rounded-box" />
            <Skeleton className="h-56 w-full rounded-box" />
          </div>
        </div>
      </div>
    </>
  );
}

function NoSuchOrder() {
  return (
    <>
      <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">{page.heading}</h1>
      <Empty
        title={page.notFound}
        action={<ButtonLink to={paths.myOrders}>{page.mine}</ButtonLink>}
      >
        {page.notFoundHint}
      </Empty>
    </>
  );
}

interface CancelledProps {
  id: string;
  events: readonly OrderEvent[];
  admin: boolean;
}

function Cancelled({ id, events, admin }: CancelledProps) {
  const ordered = events.find(({ what }) => what === 'ordered');
  return (
    <>
      <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">{page.canceled}</h1>
      <div className="grid max-w-3xl gap-6">
        <section aria-label={page.heading} className={panel}>
          <p className="text-muted">{page.canceledHint}</p>
          <OrderFacts
            facts={[
              ...(ordered?.quantity
                ? [{ name: facts.quantity, value: formatCount(ordered.quantity) }]
                : []),
              ...(ordered?.price ? [{ name: facts.price, value: formatMoney(ordered.price) }] : []),
              { name: facts.id, value: id, long: true },
            ]}
          />
          <div className="flex flex-wrap gap-3 print:hidden">
            <ButtonLink to={paths.shop}>{page.shop}</ButtonLink>
          </div>
        </section>
        <History>
          <Timeline events={events} />
        </History>
        {admin && <AdminNotes id={id} />}
      </div>
    </>
  );
}

/** An order that is not there any more still shows its history; one that never was, or is another's, shows nothing. */
function Gone({ id, admin }: { id: string; admin: boolean }) {
  const { data, error, isError, isFetching, refetch } = useListOrderEventsQuery(id, {
    refetchOnMountOrArgChange: true,
  });
  if (isError && !isFetching) {
    if (hasStatus(error, 404)) return <NoSuchOrder />;
    return (
      <>
        <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">{page.heading}</h1>
        <ErrorState title={history.failed} error={error} onRetry={refetch} />
      </>
    );
  }
  if (data?.some(({ what }) => what === 'cancelled')) {
    return <Cancelled id={id} events={data} admin={admin} />;
  }
  return isFetching ? <OrderSkeleton /> : <NoSuchOrder />;
}

function OrderScreen({ id }: { id: string }) {
  const user = useUser();
  const role = useRole();
  const { currentData, error, isError, isFetching, refetch } = useGetOrderQuery(id, {
    refetchOnMountOrArgChange: true,
  });
  const [gone, setGone] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  usePageTitle(currentData ? page.title(currentData.productName) : page.heading);

  const own = currentData === undefined || currentData.email === user?.email;
  // Nobody but admins is shown another's order.
  const admin = !own || role.state === 'admin';
  const done = (text: string, over: boolean) => {
    setSaid(text);
    if (over) setGone(true);
  };
  const content = () => {
    if (gone || (isError && hasStatus(error, 404)))
      return <Gone id={id} admin={role.state === 'admin'} />;
    if (currentData) {
      return <Detail order={currentData} own={own} admin={admin} onDone={done} />;
    }
    if (!isError || isFetching) return <OrderSkeleton />;
    return (
      <>
        <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">{page.heading}</h1>
        <ErrorState title={page.failed} error={error} onRetry={refetch} />
      </>
    );
  };

  return (
    <>
      <BackLink to={own ? paths.myOrders : paths.orders}>{own ? page.mine : page.all}</BackLink>
      {said && (
        <PersistentAlert tone="success" onDismiss={() => setSaid(null)}>
          {said}
        </PersistentAlert>
      )}
      {content()}
    </>
  );
}

/** One order: what it is, what it costs, what happened to it, and what can be done about it. */
export default function OrderPage() {
  const { id = '' } = useParams();
  return <OrderScreen key={id} id={id} />;
}
