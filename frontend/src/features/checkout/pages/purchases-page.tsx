import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { useUser } from '@/features/accounts/session/use-session';
import { buyingPaths } from '@/lib/buying-paths';
import { formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { usePageTitle } from '@/lib/use-page-title';
import { Button, ButtonLink } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { PersistentAlert } from '@/ui/persistent-alert';
import { Skeleton } from '@/ui/skeleton';
import { useGetPurchaseQuery, useListPurchasesQuery } from '../api';
import { PurchaseActions, PurchaseDocuments } from '../components/purchase-actions';
import { PurchaseBadge, PurchaseReference } from '../components/purchase-facts';
import { PurchaseLines } from '../components/purchase-lines';
import { nameOf } from '../facts';
import { purchaseMessages as messages } from '../messages';
import type { PurchaseSummary } from '../wire';

/** The lines and the documents of a purchase, asked for once somebody wants to see them. */
function Unfolded({ id }: { id: string }) {
  const { currentData, error, isError, isFetching, refetch } = useGetPurchaseQuery(id, {
    refetchOnMountOrArgChange: true,
  });
  if (currentData) {
    return (
      <>
        <PurchaseLines lines={currentData.lines} />
        <PurchaseDocuments id={id} invoices={currentData.invoices} />
      </>
    );
  }
  if (isError && !isFetching) {
    return (
      <ErrorState title={messages.detail.failed} error={error} onRetry={() => void refetch()} />
    );
  }
  return (
    <div role="status" aria-label={messages.detail.loading} className="grid gap-3 py-3">
      <Skeleton className="h-14 w-full" />
      <Skeleton className="h-14 w-full" />
    </div>
  );
}

function PurchaseCard({
  purchase,
  onSaid,
}: {
  purchase: PurchaseSummary;
  onSaid: (said: string) => void;
}) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const name = nameOf(purchase);
  return (
    <article
      aria-label={name}
      className="card-surface grid grid-cols-[minmax(0,1fr)] gap-4 p-4 sm:p-6"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 flex-1 basis-64 gap-2">
          <h2 className="text-3xl">
            <Link
              to={buyingPaths.purchase(purchase._id)}
              className="hover:text-accent hover:underline"
            >
              {name}
            </Link>
          </h2>
          <PurchaseReference
            purchase={purchase}
            lines={messages.standing(purchase.standing, purchase.lines)}
          />
          <p>
            <PurchaseBadge state={purchase.state} />
          </p>
        </div>
        <p className="sm:text-right">
          <span className="block text-sm text-muted">
            {purchase.due === null ? messages.detail.beforeFreight : messages.due}
          </span>
          <span className="font-display text-4xl leading-none font-bold wrap-anywhere">
            {formatMoney(purchase.due ?? purchase.goods)}
          </span>
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <PurchaseActions purchase={purchase} onSaid={onSaid} />
        <Button
          variant="ghost"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {messages.show}
          <span className="sr-only"> {name}</span>
          <ChevronDown
            aria-hidden="true"
            className="size-5 transition-transform"
            style={{ rotate: open ? '180deg' : undefined }}
          />
        </Button>
      </div>
      <div id={id} hidden={!open} className="border-t border-base-300 pt-2">
        {open && <Unfolded id={purchase._id} />}
      </div>
    </article>
  );
}

function CardsSkeleton() {
  return (
    <div role="status" aria-label={messages.loading} className="grid gap-6">
      {[0, 1, 2].map((place) => (
        <div key={place} className="card-surface grid gap-4 p-6">
          <Skeleton className="h-8 w-48" />
          <Skeleton className="h-4 w-56" />
          <Skeleton className="h-11 w-72" />
        </div>
      ))}
    </div>
  );
}

function List({ onSaid }: { onSaid: (said: string) => void }) {
  const user = useUser();
  const { currentData, error, isError, isFetching, refetch } = useListPurchasesQuery(
    user?.email ?? '',
    // It may be paid or shipped while its list stands in the background.
    { skip: user === null, refetchOnMountOrArgChange: true, refetchOnFocus: true },
  );
  if (!currentData) {
    if (!isError || isFetching) return <CardsSkeleton />;
    return <ErrorState title={messages.failed} error={error} onRetry={() => void refetch()} />;
  }
  if (currentData.length === 0) {
    return (
      <Empty
        title={messages.empty}
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <ButtonLink to={buyingPaths.quickOrder}>{messages.quickOrder}</ButtonLink>
            <ButtonLink variant="outline" to={paths.shop}>
              {messages.shop}
            </ButtonLink>
          </div>
        }
      >
        {messages.emptyHint}
      </Empty>
    );
  }
  return (
    <ul className="grid gap-6">
      {currentData.map((purchase) => (
        <li key={purchase._id}>
          <PurchaseCard purchase={purchase} onSaid={onSaid} />
        </li>
      ))}
    </ul>
  );
}

/** What was bought together, newest first. */
export default function PurchasesPage() {
  usePageTitle(messages.title);
  const [said, setSaid] = useState<string | null>(null);
  return (
    <>
      <h1 className="heading-mark mb-4 text-4xl sm:text-5xl">{messages.title}</h1>
      <p className="mb-6 text-muted">{messages.intro}</p>
      {said && (
        <PersistentAlert tone="success" onDismiss={() => setSaid(null)}>
          {said}
        </PersistentAlert>
      )}
      <List onSaid={setSaid} />
    </>
  );
}
