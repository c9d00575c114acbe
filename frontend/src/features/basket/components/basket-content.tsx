import type { ReactNode } from 'react';
import { buyingPaths } from '@/lib/buying-paths';
import { formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { Skeleton } from '@/ui/skeleton';
import { basketMessages as messages } from '../messages';
import { type BasketLine, goodsOf, isInOrder, useBasket } from '../use-basket';

export function BasketSkeleton() {
  return (
    <div role="status" aria-label={messages.loading} className="divide-y divide-base-300">
      {[0, 1, 2].map((place) => (
        <div key={place} className="flex gap-4 py-4">
          <Skeleton className="h-14 w-16 shrink-0" />
          <div className="grid flex-1 gap-3">
            <Skeleton className="h-5 w-3/4" />
            <Skeleton className="h-11 w-40" />
          </div>
        </div>
      ))}
    </div>
  );
}

/** What the goods cost, and the way to the checkout. */
export function BasketSum({ lines }: { lines: readonly BasketLine[] }) {
  const { signedIn } = useBasket();
  const troubled = lines.filter(({ status }) => !isInOrder(status)).length;
  return (
    <div className="grid gap-4">
      <p className="flex items-baseline justify-between gap-4">
        <span>
          {messages.subtotal}{' '}
          <span className="text-sm text-muted">({messages.count(lines.length)})</span>
        </span>
        <span className="font-display text-3xl leading-none font-bold">
          {formatMoney(goodsOf(lines))}
        </span>
      </p>
      <p className="text-sm text-muted">{messages.subtotalHint}</p>
      {troubled > 0 && (
        <p role="status" className="text-sm font-semibold text-warning">
          {messages.problems(troubled)}
        </p>
      )}
      <ButtonLink data-commands to={buyingPaths.checkout} className="btn-lg w-full">
        {messages.checkout}
      </ButtonLink>
      {!signedIn && <p className="text-sm text-muted">{messages.visitorHint}</p>}
    </div>
  );
}

/** The basket in each of its states; `children` draws what is in it. */
export function BasketContent({
  children,
}: {
  children: (lines: readonly BasketLine[]) => ReactNode;
}) {
  const { lines, error, retry } = useBasket();
  if (error) return <ErrorState title={messages.failed} error={error} onRetry={retry} />;
  if (!lines) return <BasketSkeleton />;
  if (lines.length === 0) {
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
  return children(lines);
}
