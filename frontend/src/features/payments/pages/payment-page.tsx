import type { ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import { hasStatus } from '@/api/problem';
import type { Order } from '@/api/types';
import { useUser } from '@/features/accounts/session/use-session';
import { useGetOrderQuery } from '@/features/orders/api';
import { OrderFacts } from '@/features/orders/components/order-facts';
import { OrderPicture } from '@/features/orders/components/order-picture';
import { OrderBadges } from '@/features/orders/components/order-status';
import { OrderSum } from '@/features/orders/components/order-sum';
import { Ordered } from '@/features/orders/components/ordered';
import { PurchaseLink } from '@/features/orders/components/purchase-link';
import { dueOf, isRefunded, isShipped, purchaseOf } from '@/features/orders/facts';
import { messages as orderMessages } from '@/features/orders/messages';
import { formatCount } from '@/lib/money';
import { paths } from '@/lib/paths';
import { usePageTitle } from '@/lib/use-page-title';
import { BigPrice } from '@/ui/big-price';
import { ButtonLink } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { useSettlePaymentMutation } from '../api';
import { columns, Paying, PayingSkeleton, Receipt } from '../components/paying';
import { messages } from '../messages';

const { page, receipt, situation } = messages;
const { facts } = orderMessages;

function OrderLinks({ orderId }: { orderId: string }) {
  return (
    <>
      <ButtonLink to={paths.order(orderId)}>{page.viewOrder}</ButtonLink>
      <ButtonLink variant="outline" to={paths.myOrders}>
        {page.myOrders}
      </ButtonLink>
    </>
  );
}

function OrderSummary({ order, children }: { order: Order; children?: ReactNode }) {
  return (
    <section
      aria-labelledby="order-title"
      className="card-surface grid content-start gap-5 p-4 sm:p-6"
    >
      <div className="grid gap-5 sm:grid-cols-[12rem_minmax(0,1fr)]">
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
          <BigPrice dollars={dueOf(order)} />
          <OrderSum order={order} />
        </p>
        {children}
      </div>
    </section>
  );
}

/** An order that nothing is paid for any more: says why. */
function Over({ order, title, hint }: { order: Order; title: string; hint: string }) {
  return (
    <div className={columns}>
      <Receipt
        title={title}
        view={<OrderLinks orderId={order._id} />}
        transactionId={order.payment?.transactionId}
      >
        <p>{hint}</p>
      </Receipt>
      <OrderSummary order={order} />
    </div>
  );
}

function PayOrder({ order, onStale }: { order: Order; onStale: () => void }) {
  const user = useUser();
  const [record, recording] = useSettlePaymentMutation();
  if (isRefunded(order)) {
    return <Over order={order} title={receipt.refunded} hint={receipt.refundedHint} />;
  }
  // What was just paid here says so itself, in Paying; its order has not been asked for since.
  if (order.paid && recording.isUninitialized) {
    return <Over order={order} title={receipt.alreadyPaid} hint={receipt.alreadyPaidHint} />;
  }
  return (
    <Paying
      payable={{ orderId: order._id, price: dueOf(order) }}
      payer={{ name: order.name, email: user?.email ?? order.email }}
      onPaid={(transactionId) => {
        const payment = { product: order._id, transactionId, status: 'paid' };
        void record({ id: order._id, hint: { payment } });
      }}
      onStale={onStale}
      summary={(buyNow) => (
        <OrderSummary order={buyNow ? order : { ...order, paid: true, reservedUntil: null }}>
          {buyNow}
        </OrderSummary>
      )}
      receipt={(transactionId) => (
        <Receipt
          fresh
          title={receipt.successful}
          view={<OrderLinks orderId={order._id} />}
          transactionId={transactionId}
        >
          {recording.isError ? (
            <p>{receipt.notRecordedYet}</p>
          ) : (
            <p className="text-muted">{isShipped(order) ? receipt.onItsWay : receipt.soon}</p>
          )}
        </Receipt>
      )}
    />
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
      <h1 className="heading-mark mb-4 text-4xl sm:text-5xl">{page.heading}</h1>
      {currentData && !gone && (
        <p className="mb-6 text-muted">
          {purchaseOf(currentData) === null ? situation.order : situation.line}{' '}
          <PurchaseLink order={currentData} />
        </p>
      )}
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
        <PayingSkeleton />
      )}
    </>
  );
}
