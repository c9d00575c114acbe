import type { ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import { hasStatus } from '@/api/problem';
import { useUser } from '@/features/accounts/session/use-session';
import { useGetPurchaseQuery, useSettlePurchaseMutation } from '@/features/checkout/api';
import { PurchaseBadge, PurchaseReference } from '@/features/checkout/components/purchase-facts';
import { Sums } from '@/features/checkout/components/summary';
import { nameOf, paidOf, remainingOf } from '@/features/checkout/facts';
import { purchaseMessages } from '@/features/checkout/messages';
import type { Purchase } from '@/features/checkout/wire';
import { messages as orderMessages } from '@/features/orders/messages';
import { buyingPaths } from '@/lib/buying-paths';
import { CARD_MAX, formatMoney } from '@/lib/money';
import { usePageTitle } from '@/lib/use-page-title';
import { BigPrice } from '@/ui/big-price';
import { ButtonLink } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { columns, Paying, PayingSkeleton, Receipt } from '../components/paying';
import { messages } from '../messages';

const { page, purchase: text, receipt, situation } = messages;

/** How many lines are listed; the rest is counted. */
const LISTED = 8;

function PurchaseViews({ id }: { id: string }) {
  return (
    <>
      <ButtonLink to={buyingPaths.purchase(id)}>{text.view}</ButtonLink>
      <ButtonLink variant="outline" to={buyingPaths.purchases}>
        {text.purchases}
      </ButtonLink>
    </>
  );
}

function PurchaseSummary({ purchase, children }: { purchase: Purchase; children?: ReactNode }) {
  const standing = purchase.lines.filter(({ cancelled }) => !cancelled);
  const remaining = remainingOf(purchase);
  return (
    <section
      aria-labelledby="purchase-title"
      className="card-surface grid grid-cols-[minmax(0,1fr)] content-start gap-5 p-4 sm:p-6"
    >
      <div className="grid gap-3">
        <h2 id="purchase-title" className="text-3xl">
          {nameOf(purchase)}
        </h2>
        <PurchaseReference
          purchase={purchase}
          lines={purchaseMessages.standing(purchase.standing, purchase.lines.length)}
        />
        <p>
          <PurchaseBadge state={purchase.state} />
        </p>
      </div>
      <ul aria-label={text.lines} className="grid gap-2">
        {standing.slice(0, LISTED).map(({ orderId, quantity, name, price }) => (
          <li key={orderId} className="flex items-baseline justify-between gap-4">
            <span className="min-w-0 wrap-anywhere">{orderMessages.sum(quantity, name)}</span>
            <span className="font-semibold">{formatMoney(price)}</span>
          </li>
        ))}
        {standing.length > LISTED && (
          <li className="text-muted">{text.more(standing.length - LISTED)}</li>
        )}
      </ul>
      <div className="border-t border-base-300 pt-5">
        <Sums
          goods={purchase.goods}
          shipping={purchase.shipping}
          taxes={purchase.taxes}
          tax={purchase.tax}
        />
      </div>
      <div className="flex flex-wrap items-end justify-between gap-4 border-t border-base-300 pt-5">
        <p>
          <span className="block text-sm text-muted">
            {paidOf(purchase) > 0 && remaining > 0
              ? purchaseMessages.detail.remaining
              : purchaseMessages.detail.due}
          </span>
          <BigPrice dollars={remaining > 0 ? remaining : (purchase.due ?? purchase.goods)} />
        </p>
        {children}
      </div>
    </section>
  );
}

/** Which of the situations this payment is. */
function situationOf(purchase: Purchase): string {
  const number = purchase.number ?? '';
  const standing = purchase.lines.filter(({ cancelled, paid }) => !cancelled && !paid).length;
  return paidOf(purchase) > 0
    ? situation.remaining(
        formatMoney(remainingOf(purchase)),
        formatMoney(purchase.due ?? purchase.goods),
        number,
      )
    : situation.purchase(standing, number);
}

/** Why there is nothing to pay here; null where there is. */
function overOf(purchase: Purchase): { title: string; hint: string } | null {
  const { state, shipping } = purchase;
  if (state === 'paid') return { title: receipt.alreadyPaid, hint: text.paidHint };
  if (state === 'cancelled') return { title: text.canceled, hint: text.canceledHint };
  if (state === 'waiting' || shipping === null) {
    return { title: text.waiting, hint: text.waitingHint };
  }
  if (remainingOf(purchase) > CARD_MAX) {
    return { title: text.account, hint: text.accountHint };
  }
  return null;
}

function PayPurchase({
  id,
  purchase,
  onStale,
}: {
  id: string;
  purchase: Purchase;
  onStale: () => void;
}) {
  const user = useUser();
  const [record, recording] = useSettlePurchaseMutation();
  const over = recording.isUninitialized ? overOf(purchase) : null;
  if (over) {
    return (
      <div className={columns}>
        <Empty
          title={over.title}
          action={
            <div className="flex flex-wrap justify-center gap-3">
              <PurchaseViews id={id} />
            </div>
          }
        >
          {over.hint}
        </Empty>
        <PurchaseSummary purchase={purchase} />
      </div>
    );
  }
  return (
    <>
      {recording.isUninitialized && <p className="mb-6 text-muted">{situationOf(purchase)}</p>}
      <Paying
        payable={{ checkoutId: id, price: remainingOf(purchase) }}
        payer={{
          name: purchase.contact.name,
          email: user?.email ?? purchase.contact.email ?? '',
        }}
        onPaid={(transactionId) => void record({ id, transactionId })}
        onStale={onStale}
        summary={(buyNow) => (
          <PurchaseSummary purchase={buyNow ? purchase : { ...purchase, state: 'paid' }}>
            {buyNow}
          </PurchaseSummary>
        )}
        receipt={(transactionId) => (
          <Receipt
            fresh
            title={receipt.successful}
            view={<PurchaseViews id={id} />}
            transactionId={transactionId}
          >
            {recording.isError ? (
              <p>{text.notRecordedYet}</p>
            ) : (
              <p className="text-muted">{text.soon}</p>
            )}
          </Receipt>
        )}
      />
    </>
  );
}

/** The payment of a whole purchase, or of what remains of it. */
export default function CheckoutPaymentPage() {
  usePageTitle(page.heading);
  const { checkoutId: id = '' } = useParams();
  const { currentData, error, isError, isFetching, refetch } = useGetPurchaseQuery(id, {
    refetchOnMountOrArgChange: true,
  });
  const content = () => {
    if (isError && hasStatus(error, 404)) {
      return (
        <Empty
          title={text.notFound}
          action={<ButtonLink to={buyingPaths.purchases}>{text.purchases}</ButtonLink>}
        >
          {text.notFoundHint}
        </Empty>
      );
    }
    if (currentData) {
      return <PayPurchase key={id} id={id} purchase={currentData} onStale={refetch} />;
    }
    if (!isError || isFetching) return <PayingSkeleton label={text.loading} />;
    return <ErrorState title={text.failed} error={error} onRetry={() => void refetch()} />;
  };
  return (
    <>
      <h1 className="heading-mark mb-4 text-4xl sm:text-5xl">{page.heading}</h1>
      {content()}
    </>
  );
}
