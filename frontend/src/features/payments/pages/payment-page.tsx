import { CircleCheck } from 'lucide-react';
import {
  type ReactNode,
  type Ref,
  Suspense,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useParams } from 'react-router-dom';
import { hasStatus } from '@/api/problem';
import type { Order } from '@/api/types';
import { useGetConfigQuery } from '@/features/accounts/session/api';
import { useUser } from '@/features/accounts/session/use-session';
import { useGetOrderQuery } from '@/features/orders/api';
import { OrderFacts } from '@/features/orders/components/order-facts';
import { OrderPicture } from '@/features/orders/components/order-picture';
import { OrderBadges } from '@/features/orders/components/order-status';
import { OrderSum } from '@/features/orders/components/order-sum';
import { Ordered } from '@/features/orders/components/ordered';
import { isRefunded, isShipped } from '@/features/orders/facts';
import { messages as orderMessages } from '@/features/orders/messages';
import { formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { usePageTitle } from '@/lib/use-page-title';
import { BigPrice } from '@/ui/big-price';
import { Button, ButtonLink } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { Skeleton } from '@/ui/skeleton';
import { useOpenPaymentQuery, useSettlePaymentMutation } from '../api';
import { type CardFormHandle, cardFormOf } from '../gateway';
import { messages } from '../messages';

const { card, page, receipt } = messages;
const { facts } = orderMessages;

function FormSkeleton() {
  return (
    <div role="status" aria-label={card.loading} className="grid gap-5">
      <Skeleton className="h-5 w-28" />
      <Skeleton className="h-11 w-full" />
      <Skeleton className="h-11 w-full" />
      <Skeleton className="h-12 w-full" />
    </div>
  );
}

interface CardAreaProps {
  order: Order;
  form: Ref<CardFormHandle>;
  onPaid: (transactionId: string) => void;
  onOvertaken: () => void;
}

/** The card form of the provider that is on, and the secret without which it cannot pay. */
function CardArea({ order, form, onPaid, onOvertaken }: CardAreaProps) {
  const user = useUser();
  const config = useGetConfigQuery();
  const secret = useOpenPaymentQuery({ orderId: order._id, price: order.price });
  const conflict = secret.isError && hasStatus(secret.error, 409);

  useEffect(() => {
    // Paid or cancelled meanwhile: the order knows which.
    if (conflict) onOvertaken();
  }, [conflict, onOvertaken]);

  if (config.isError && !config.isFetching && !config.data) {
    return <ErrorState title={card.failed} error={config.error} onRetry={config.refetch} />;
  }
  if (!config.data) return <FormSkeleton />;
  const CardForm = cardFormOf(config.data);
  if (!CardForm) {
    return <Empty title={card.unavailable}>{card.unavailableHint}</Empty>;
  }
  if (secret.isError && !secret.isFetching) {
    return <ErrorState title={card.notStarted} error={secret.error} onRetry={secret.refetch} />;
  }
  return (
    <Suspense fallback={<FormSkeleton />}>
      <CardForm
        ref={form}
        publicKey={config.data.publishableKey}
        clientSecret={secret.data?.clientSecret ?? null}
        payer={{ name: order.name, email: user?.email ?? order.email }}
        amount={formatMoney(order.price)}
        onPaid={onPaid}
        onOvertaken={onOvertaken}
      />
    </Suspense>
  );
}

/**
 * The end of the road: says that it is paid, under which number, and where to go from here. It stands first, so that a
 * phone shows it at once; on a wide screen it takes the place of the card form.
 */
function Receipt({
  title,
  orderId,
  transactionId,
  children,
  fresh = false,
}: {
  title: string;
  orderId: string;
  transactionId: string | undefined;
  children?: ReactNode;
  /** Just happened: is read out, and the keyboard goes on from here. */
  fresh?: boolean;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (fresh) heading.current?.focus();
  }, [fresh]);
  return (
    <section
      role={fresh ? 'alert' : undefined}
      className="card-surface grid content-start gap-4 border-t-4 border-t-success p-4 sm:p-6 xl:order-last"
    >
      <CircleCheck aria-hidden="true" className="size-12 text-success" />
      <h2 ref={heading} tabIndex={-1} className="text-3xl outline-none">
        {title}
      </h2>
      {transactionId && (
        <p>
          <span className="block text-sm text-muted">{receipt.transaction}</span>
          <span className="font-semibold break-all">{transactionId}</span>
        </p>
      )}
      {children}
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={paths.order(orderId)}>{page.viewOrder}</ButtonLink>
        <ButtonLink variant="outline" to={paths.myOrders}>
          {page.myOrders}
        </ButtonLink>
        <ButtonLink variant="outline" to={paths.shop}>
          {page.shop}
        </ButtonLink>
      </div>
    </section>
  );
}

function OrderSummary({ order, children }: { order: Order; children?: ReactNode }) {
  return (
    <section
      aria-labelledby="order-title"
      className="card-surface grid content-start gap-5 p-4 sm:p-6"
    >
      <div className="grid gap-5 sm:grid-cols-[11rem_minmax(0,1fr)]">
        <OrderPicture img={order.img} />
        <div className="grid content-start gap-3">
          <h2 id="order-title" className="text-3xl normal-case wrap-anywhere">
            {order.productName}
          </h2>
          <Ordered order={order} />
          <OrderBadges order={order} />
        </div>
      </div>
      <OrderFacts
        facts={[
          { name: facts.name, value: order.name },
          { name: facts.phone, value: order.phone },
          { name: facts.email, value: order.email, long: true },
          { name: facts.address, value: order.address, long: true },
          { name: facts.quantity, value: formatCount(order.quantity) },
        ]}
      />
      <div className="flex flex-wrap items-end justify-between gap-4 border-t border-base-300 pt-5">
        <p>
          <span className="block text-sm text-muted">{facts.price}</span>
          <BigPrice dollars={order.price} />
          <OrderSum order={order} />
        </p>
        {children}
      </div>
    </section>
  );
}

const columns = 'grid items-start gap-6 xl:grid-cols-2';

function PayOrder({ order, onStale }: { order: Order; onStale: () => void }) {
  const area = useRef<HTMLElement>(null);
  const form = useRef<CardFormHandle>(null);
  const awaited = useRef(false);
  const [paidBy, setPaidBy] = useState<string | null>(null);
  const [record, recording] = useSettlePaymentMutation();

  const onPaid = (transactionId: string) => {
    setPaidBy(transactionId);
    const payment = { product: order._id, transactionId, status: 'paid' };
    void record({ id: order._id, hint: { payment } });
  };

  // Buy Now may be pressed before the form has come; the cursor then follows it in.
  const takeForm = useCallback((handle: CardFormHandle | null) => {
    form.current = handle;
    if (handle && awaited.current) handle.focus();
    awaited.current = false;
  }, []);

  const buyNow = () => {
    area.current?.scrollIntoView({ block: 'start' });
    awaited.current = form.current === null;
    if (form.current) form.current.focus();
    else area.current?.focus();
  };

  if (paidBy) {
    return (
      <div className={columns}>
        <Receipt fresh title={receipt.successful} orderId={order._id} transactionId={paidBy}>
          {recording.isError ? (
            <p>{receipt.notRecordedYet}</p>
          ) : (
            <p className="text-muted">{isShipped(order) ? receipt.onItsWay : receipt.soon}</p>
          )}
        </Receipt>
        <OrderSummary order={{ ...order, paid: true }} />
      </div>
    );
  }
  if (isRefunded(order)) {
    return (
      <div className={columns}>
        <Receipt
          title={receipt.refunded}
          orderId={order._id}
          transactionId={order.payment?.transactionId}
        >
          <p>{receipt.refundedHint}</p>
        </Receipt>
        <OrderSummary order={order} />
      </div>
    );
  }
  if (order.paid) {
    return (
      <div className={columns}>
        <Receipt
          title={receipt.alreadyPaid}
          orderId={order._id}
          transactionId={order.payment?.transactionId}
        >
          <p>{receipt.alreadyPaidHint}</p>
        </Receipt>
        <OrderSummary order={order} />
      </div>
    );
  }
  return (
    <div className={columns}>
      <OrderSummary order={order}>
        <Button onClick={buyNow}>{page.buyNow}</Button>
      </OrderSummary>
      <section
        ref={area}
        tabIndex={-1}
        aria-labelledby="card-title"
        className="card-surface grid scroll-mt-20 content-start gap-6 p-4 outline-none sm:p-6"
      >
        <h2 id="card-title" className="text-3xl">
          {card.heading}
        </h2>
        <CardArea order={order} form={takeForm} onPaid={onPaid} onOvertaken={onStale} />
      </section>
    </div>
  );
}

export default function PaymentPage() {
  usePageTitle(page.heading);
  const { id = '' } = useParams();
  const { currentData, error, isError, isFetching, refetch } = useGetOrderQuery(id, {
    refetchOnMountOrArgChange: true,
  });

  const gone = isError && hasStatus(error, 404);
  return (
    <>
      <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">{page.heading}</h1>
      {gone ? (
        <Empty
          title={page.notFound}
          action={<ButtonLink to={paths.myOrders}>{page.myOrders}</ButtonLink>}
        >
          {page.notFoundHint}
        </Empty>
      ) : currentData ? (
        <PayOrder key={currentData._id} order={currentData} onStale={refetch} />
      ) : isError && !isFetching ? (
        <ErrorState title={page.failed} error={error} onRetry={refetch} />
      ) : (
        <div role="status" aria-label={page.loading} className={columns}>
          <div className="card-surface grid gap-5 p-6">
            <Skeleton className="aspect-4/3 w-full rounded-field sm:w-56" />
            <Skeleton className="h-9 w-2/3" />
            <Skeleton className="h-32 w-full" />
            <Skeleton className="h-11 w-40" />
          </div>
          <div className="card-surface p-6">
            <Skeleton className="h-64 w-full" />
          </div>
        </div>
      )}
    </>
  );
}
