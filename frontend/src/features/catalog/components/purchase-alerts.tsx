import type { Problem } from '@/api/problem';
import type { Product } from '@/api/types';
import { useForgetSession } from '@/features/accounts/session/use-session';
import { CARD_MAX, formatCount, formatMoney } from '@/lib/money';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import type { ProductOrder } from '../unanswered';
import { type Purchase, SESSION_ENDED } from '../use-purchase';
import { shortageOf } from './stock-badge';

const WELCOME_BACK =
  'Your session had ended, so nothing was ordered. Here is what you had typed: check it and order again.';
const AGAIN = 'Filled in from your earlier order. Check it, then order.';

/** Where what stands in the form comes from, unless it was typed here. */
export function DraftNotice({ draft, problem }: Pick<Purchase, 'draft' | 'problem'>) {
  if (!draft || draft.origin === 'typed' || problem) return null;
  return <Alert tone="info">{draft.origin === 'again' ? AGAIN : WELCOME_BACK}</Alert>;
}

function OrderError({
  problem,
  product,
  total,
  quantity,
  busy,
}: {
  problem: Problem;
  product: Product;
  total: number;
  quantity: number;
  busy: boolean;
}) {
  const forget = useForgetSession();
  if (problem.status === 401) {
    return (
      <Alert tone="error">
        <p>{SESSION_ENDED}</p>
        <Button variant="outline" className="mt-3" onClick={forget}>
          Sign in again
        </Button>
      </Alert>
    );
  }
  if (problem.slug === 'price-changed') {
    return (
      <Alert tone="error">
        <p>
          The price is now <strong>{formatMoney(product.price)}</strong> a unit, so{' '}
          {formatCount(quantity)} cost <strong>{formatMoney(total)}</strong>. Nothing was ordered
          yet.
        </p>
        <Button type="submit" variant="outline" className="mt-3" busy={busy}>
          Order at {formatMoney(total)}
        </Button>
      </Alert>
    );
  }
  if (problem.slug === 'out-of-stock') {
    const shortage = shortageOf(product);
    return (
      <Alert tone="error">
        {shortage
          ? `${shortage} Nothing was ordered.`
          : `Only ${formatCount(product.availableQty)} are left, so the quantity is set to ${formatCount(quantity)}. Nothing was ordered yet.`}
      </Alert>
    );
  }
  return <Alert tone="error">{problem.message}</Alert>;
}

/** Nobody knows whether the order arrived: says so, and offers to send that same order again. */
function RetryAlert({
  message,
  order,
  busy,
  onRetry,
}: {
  message: string;
  order: ProductOrder;
  busy: boolean;
  onRetry: () => void;
}) {
  return (
    <Alert tone="error">
      <p>{message}</p>
      <p className="mt-1 text-muted">
        Retry sends the same order again: {formatCount(order.quantity)} for{' '}
        {formatMoney(order.price)}. However often it arrives, it is placed once.
      </p>
      <Button variant="outline" className="mt-3" busy={busy} onClick={onRetry}>
        Retry
      </Button>
    </Alert>
  );
}

/** Everything that has to be said before this order can be placed. */
export function PurchaseAlerts({
  product,
  purchase: { noResponse, problem, quantity, total, isLoading },
  onRetry,
}: {
  product: Product;
  purchase: Purchase;
  onRetry: () => void;
}) {
  const shortage = shortageOf(product);
  const atFields = problem !== null && Object.keys(problem.errors).length > 0;
  return (
    <>
      {total > CARD_MAX && (
        <Alert tone="info">
          A card can pay up to {formatMoney(CARD_MAX)}. We ship this order on account once we have
          approved it, and bill it.
        </Alert>
      )}
      {noResponse && (
        <RetryAlert
          message={noResponse.message}
          order={noResponse.sent.order}
          busy={isLoading}
          onRetry={onRetry}
        />
      )}
      {shortage && !problem && <p className="font-semibold text-error">{shortage}</p>}
      {problem && !atFields && (
        <OrderError
          problem={problem}
          product={product}
          total={total}
          quantity={quantity.quantity}
          busy={isLoading}
        />
      )}
      {problem && atFields && <Alert tone="error">{problem.message}</Alert>}
    </>
  );
}
