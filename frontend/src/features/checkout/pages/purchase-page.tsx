import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'react-router-dom';
import { hasStatus } from '@/api/problem';
import { useListCountriesQuery } from '@/features/addresses/api';
import { addressLines } from '@/features/addresses/format';
import { SaveAsList } from '@/features/lists/components/save-as-list';
import { OrderFacts } from '@/features/orders/components/order-facts';
import { buyingPaths } from '@/lib/buying-paths';
import { formatMoney } from '@/lib/money';
import { usePageTitle } from '@/lib/use-page-title';
import { BigPrice } from '@/ui/big-price';
import { ButtonLink } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { PersistentAlert } from '@/ui/persistent-alert';
import { Skeleton } from '@/ui/skeleton';
import { useGetPurchaseQuery } from '../api';
import { PurchaseActions, PurchaseDocuments } from '../components/purchase-actions';
import { NextStep, PurchaseBadge, PurchaseReference } from '../components/purchase-facts';
import { PurchaseLines } from '../components/purchase-lines';
import { Sums } from '../components/summary';
import { nameOf, paidOf, remainingOf } from '../facts';
import { purchaseMessages as messages } from '../messages';
import type { Purchase } from '../wire';

const { detail } = messages;

const columns =
  'grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,1fr)_21rem]';
const panel = 'card-surface grid grid-cols-[minmax(0,1fr)] content-start gap-5 p-4 sm:p-6';

function Detail({ purchase }: { purchase: Purchase }) {
  const { state } = useLocation() as { state: { placed?: boolean } | null };
  const { data: countries } = useListCountriesQuery();
  const [said, setSaid] = useState<string | null>(state?.placed ? messages.placed : null);
  const {
    contact,
    address,
    shippingMethod,
    poNumber,
    note,
    lines,
    goods,
    shipping,
    taxes,
    tax,
    due,
  } = purchase;
  const paid = paidOf(purchase);
  const remaining = remainingOf(purchase);
  return (
    <>
      {said && (
        <PersistentAlert tone="success" onDismiss={() => setSaid(null)}>
          <p className="font-semibold">{said}</p>
          {said === messages.placed && <NextStep purchase={purchase} />}
        </PersistentAlert>
      )}
      <header className="mb-8 grid gap-3">
        <h1 className="heading-mark text-4xl sm:text-5xl">{nameOf(purchase)}</h1>
        <PurchaseReference
          purchase={purchase}
          lines={messages.standing(purchase.standing, lines.length)}
        />
        <p>
          <PurchaseBadge state={purchase.state} />
        </p>
        {said !== messages.placed && (
          <div className="text-muted">
            <NextStep purchase={purchase} />
          </div>
        )}
      </header>
      <div className={columns}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6 xl:col-start-2">
          <section aria-labelledby="sums" className={panel}>
            <h2 id="sums" className="text-2xl">
              {detail.sums}
            </h2>
            <Sums goods={goods} shipping={shipping} taxes={taxes} tax={tax} />
            <div className="border-t border-base-300 pt-4">
              <span className="block text-sm text-muted">
                {due === null ? detail.beforeFreight : detail.due}
              </span>
              <BigPrice dollars={due ?? goods} />
              {paid > 0 && (
                <p className="mt-2 text-sm">
                  {detail.paid}: <strong>{formatMoney(paid)}</strong>
                  {remaining > 0 && (
                    <>
                      {' · '}
                      {detail.remaining}: <strong>{formatMoney(remaining)}</strong>
                    </>
                  )}
                </p>
              )}
            </div>
            <div data-commands className="flex flex-wrap gap-3 xl:flex-col">
              <PurchaseActions purchase={purchase} remaining={remaining} onSaid={setSaid} />
            </div>
          </section>
          <section aria-labelledby="documents" className={panel}>
            <h2 id="documents" className="text-2xl">
              {messages.documents}
            </h2>
            <PurchaseDocuments id={purchase._id} invoices={purchase.invoices} />
            {purchase.invoices.length === 0 && (
              <p className="text-sm text-muted">{messages.invoiceLater}</p>
            )}
          </section>
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6 xl:col-start-1 xl:row-start-1">
          <section aria-labelledby="lines" className={panel}>
            <h2 id="lines" className="text-2xl">
              {detail.lines}
            </h2>
            <PurchaseLines lines={lines} />
            <div>
              <SaveAsList lines={lines} />
            </div>
          </section>
          <section aria-label={detail.address} className={panel}>
            <OrderFacts
              facts={[
                { name: detail.contact, value: contact.name },
                { name: detail.phone, value: contact.phone },
                {
                  name: detail.address,
                  value: addressLines(address, countries ?? []).join('\n'),
                  long: true,
                  text: true,
                },
                ...(shippingMethod
                  ? [{ name: detail.freight, value: shippingMethod, long: true }]
                  : []),
                ...(poNumber ? [{ name: detail.poNumber, value: poNumber, long: true }] : []),
                ...(note ? [{ name: detail.note, value: note, long: true, text: true }] : []),
              ]}
            />
          </section>
        </div>
      </div>
    </>
  );
}

function PurchaseSkeleton() {
  return (
    <>
      <h1 className="sr-only">{messages.one}</h1>
      <div role="status" aria-label={detail.loading}>
        <div className="mb-8 grid gap-4">
          <Skeleton className="h-11 w-72" />
          <Skeleton className="h-5 w-56" />
        </div>
        <div className={columns}>
          <Skeleton className="h-96 w-full rounded-box" />
          <Skeleton className="h-72 w-full rounded-box" />
        </div>
      </div>
    </>
  );
}

function Screen({ id }: { id: string }) {
  const { currentData, error, isError, isFetching, refetch } = useGetPurchaseQuery(id, {
    refetchOnMountOrArgChange: true,
  });
  usePageTitle(currentData ? nameOf(currentData) : messages.one);
  if (isError && hasStatus(error, 404)) {
    return (
      <>
        <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">{messages.one}</h1>
        <Empty
          title={detail.notFound}
          action={<ButtonLink to={buyingPaths.purchases}>{messages.title}</ButtonLink>}
        >
          {detail.notFoundHint}
        </Empty>
      </>
    );
  }
  if (currentData) return <Detail purchase={currentData} />;
  if (!isError || isFetching) return <PurchaseSkeleton />;
  return (
    <>
      <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">{messages.one}</h1>
      <ErrorState title={detail.failed} error={error} onRetry={() => void refetch()} />
    </>
  );
}

/** What was bought together: its lines, its sums, its documents, and what can be done about it. */
export default function PurchasePage() {
  const { checkoutId: id = '' } = useParams();
  return (
    <>
      <Link
        to={buyingPaths.purchases}
        className="mb-4 inline-flex min-h-11 items-center gap-2 text-muted hover:text-base-content hover:underline"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        {detail.back}
      </Link>
      <Screen key={id} id={id} />
    </>
  );
}
