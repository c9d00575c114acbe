import { useUser } from '@/features/accounts/session/use-session';
import { useListAddressesQuery, useListCountriesQuery } from '@/features/addresses/api';
import { fieldMessages } from '@/features/addresses/messages';
import { useBasket } from '@/features/basket/use-basket';
import { buyingPaths } from '@/lib/buying-paths';
import { paths } from '@/lib/paths';
import { usePageTitle } from '@/lib/use-page-title';
import { ButtonLink } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { Skeleton } from '@/ui/skeleton';
import { CheckoutForm, checkoutColumns } from '../components/checkout-form';
import { checkoutMessages as messages } from '../messages';
import { readUnanswered } from '../unanswered';

function CheckoutSkeleton() {
  return (
    <div role="status" aria-label={messages.loading} className={checkoutColumns}>
      <div className="grid gap-6">
        {[11, 24, 12].map((height) => (
          <div key={height} className="card-surface grid gap-4 p-6">
            <Skeleton className="h-7 w-40" />
            <Skeleton className="h-11 w-full" />
            {height > 11 && <Skeleton className="h-11 w-full" />}
            {height > 12 && <Skeleton className="h-32 w-full" />}
          </div>
        ))}
      </div>
      <Skeleton className="h-80 w-full rounded-box" />
    </div>
  );
}

function Screen() {
  const user = useUser();
  const basket = useBasket();
  const countries = useListCountriesQuery();
  // Without the book the address is typed.
  const book = useListAddressesQuery();
  if (!user) return null;
  if (basket.error) {
    return <ErrorState title={messages.failed} error={basket.error} onRetry={basket.retry} />;
  }
  if (countries.isError && !countries.isFetching && !countries.data) {
    return (
      <ErrorState
        title={fieldMessages.failed}
        error={countries.error}
        onRetry={() => void countries.refetch()}
      />
    );
  }
  if (!basket.lines || !countries.data || (!book.data && !book.isError)) {
    return <CheckoutSkeleton />;
  }
  if (basket.lines.length === 0 && !readUnanswered(user.email)) {
    return (
      <Empty
        title={messages.empty}
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <ButtonLink to={paths.shop}>{messages.shop}</ButtonLink>
            <ButtonLink variant="outline" to={buyingPaths.quickOrder}>
              {messages.quickOrder}
            </ButtonLink>
          </div>
        }
      >
        {messages.emptyHint}
      </Empty>
    );
  }
  return (
    <CheckoutForm
      user={user}
      lines={basket.lines}
      countries={countries.data}
      book={book.data ?? []}
    />
  );
}

/** Everything that a purchase needs, on one page. */
export default function CheckoutPage() {
  usePageTitle(messages.title);
  return (
    <>
      <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">{messages.title}</h1>
      <Screen />
    </>
  );
}
