import { ArrowLeft } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import { hasStatus } from '@/api/problem';
import type { Customer } from '@/api/types';
import { OrderFacts } from '@/features/orders/components/order-facts';
import { formatDay } from '@/lib/dates';
import { formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { usePageTitle } from '@/lib/use-page-title';
import { Badge } from '@/ui/badge';
import { ButtonLink } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { Skeleton } from '@/ui/skeleton';
import { CustomerNotes } from '../../notes/components/customer-notes';
import { useGetCustomerQuery } from '../api';
import { CustomerOrders } from '../components/customer-orders';
import { CustomerPurchases } from '../components/customer-purchases';
import { CustomerTerms } from '../components/customer-terms';
import { messages } from '../messages';

const panel = 'card-surface grid grid-cols-[minmax(0,1fr)] content-start gap-5 p-4 sm:p-6';

function Day({ at }: { at: string | null }) {
  return at ? <time dateTime={at}>{formatDay(at)}</time> : messages.never;
}

function Heading({ children }: { children: string }) {
  return (
    <h1 className="heading-mark mb-8 text-4xl normal-case wrap-anywhere sm:text-5xl">{children}</h1>
  );
}

function Facts({ customer }: { customer: Customer }) {
  const { orders } = customer;
  return (
    <section aria-label={messages.facts} className={panel}>
      {(customer.role === 'admin' || !customer.verified) && (
        <p className="flex flex-wrap gap-2">
          {customer.role === 'admin' && <Badge tone="accent">{messages.admin}</Badge>}
          {!customer.verified && <Badge tone="warning">{messages.notVerified}</Badge>}
        </p>
      )}
      <OrderFacts
        facts={[
          { name: messages.email, value: customer.email, long: true },
          { name: messages.joined, value: <Day at={customer.createdAt} /> },
          { name: messages.spent, value: formatMoney(customer.spent) },
          { name: messages.firstOrder, value: <Day at={customer.firstOrderAt} /> },
          { name: messages.lastOrder, value: <Day at={customer.lastOrderAt} /> },
        ]}
      />
      <div className="ticks text-edge" aria-hidden="true" />
      <h2 className="sr-only">{messages.counts}</h2>
      <OrderFacts
        facts={[
          { name: messages.readyToShip, value: formatCount(orders.readyToShip) },
          { name: messages.awaitingPayment, value: formatCount(orders.awaitingPayment) },
          { name: messages.shipped, value: formatCount(orders.shipped) },
          { name: messages.refunded, value: formatCount(orders.refunded) },
          { name: messages.canceled, value: formatCount(orders.cancelled) },
          { name: messages.all, value: formatCount(orders.all) },
        ]}
      />
    </section>
  );
}

function Loading() {
  return (
    <div role="status" aria-label={messages.loading} className="grid gap-6">
      <Skeleton className="h-64 w-full rounded-box" />
      <Skeleton className="h-56 w-full rounded-box" />
    </div>
  );
}

function CustomerScreen({ email }: { email: string }) {
  const { currentData, error, isError, isFetching, refetch } = useGetCustomerQuery(email, {
    refetchOnMountOrArgChange: true,
  });
  usePageTitle(currentData ? messages.title(currentData.displayName) : messages.heading);
  if (currentData) {
    return (
      <>
        <Heading>{currentData.displayName}</Heading>
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,1fr)_21rem]">
          <Facts customer={currentData} />
          <CustomerNotes email={currentData.email} />
        </div>
        <div className="mt-6">
          <CustomerOrders
            email={currentData.email}
            name={currentData.displayName}
            total={currentData.orders.all}
          />
        </div>
        <div className="mt-6">
          <CustomerPurchases email={currentData.email} name={currentData.displayName} />
        </div>
        <div className="mt-6">
          <CustomerTerms email={currentData.email} />
        </div>
      </>
    );
  }
  const content = () => {
    if (!isError || isFetching) return <Loading />;
    if (!hasStatus(error, 404)) {
      return <ErrorState title={messages.failed} error={error} onRetry={refetch} />;
    }
    return (
      <Empty
        title={messages.notFound}
        action={<ButtonLink to={paths.users}>{messages.back}</ButtonLink>}
      >
        {messages.notFoundHint}
      </Empty>
    );
  };
  return (
    <>
      <Heading>{messages.heading}</Heading>
      {content()}
    </>
  );
}

/** One customer: who they are, what they ordered and spent, and what admins noted about them. */
export default function CustomerPage() {
  const { email = '' } = useParams();
  return (
    <>
      <Link
        to={paths.users}
        className="mb-4 inline-flex min-h-11 items-center gap-2 text-muted hover:text-base-content hover:underline print:hidden"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        {messages.back}
      </Link>
      <CustomerScreen key={email} email={email} />
    </>
  );
}
