import type { Problem } from '@/api/problem';
import type { Product } from '@/api/types';
import { useForgetSession } from '@/features/accounts/session/use-session';
import { CARD_MAX } from '@/lib/money';
import { unitPriceAt } from '@/lib/tiers';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { billingMessages } from '../pages/messages';
import type { ProductOrder } from '../unanswered';
import type { Purchase } from '../use-purchase';
import { shortageOf } from './stock-badge';

/** Where what stands in the form comes from, unless it was typed here. */
export function DraftNotice({ draft, problem }: Pick<Purchase, 'draft' | 'problem'>) {
  if (!draft || draft.origin === 'typed' || problem) return null;
  const notice = draft.origin === 'again' ? billingMessages.filledIn : billingMessages.signedOut;
  return <Alert tone="info">{notice}</Alert>;
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
        <p>{billingMessages.sessionEnded}</p>
        <Button variant="outline" className="mt-3" onClick={forget}>
          {billingMessages.signIn}
        </Button>
      </Alert>
    );
  }
  if (problem.slug === 'price-changed') {
    return (
      <Alert tone="error">
        <p>{billingMessages.priceChanged(unitPriceAt(product, quantity), quantity, total)}</p>
        <Button type="submit" variant="outline" className="mt-3" busy={busy}>
          {billingMessages.orderAt(total)}
        </Button>
      </Alert>
    );
  }
  if (problem.slug === 'out-of-stock') {
    const shortage = shortageOf(product);
    return (
      <Alert tone="error">
        {shortage
          ? billingMessages.nothingOrdered(shortage)
          : billingMessages.quantityLowered(product.availableQty, quantity)}
      </Alert>
    );
  }
  return <Alert tone="error">{problem.message}</Alert>;
}

/** Nobody knows whether the order arrived: says so, and that it may be sent again. */
function NoResponseAlert({ message, order }: { message: string; order: ProductOrder }) {
  return (
    <Alert tone="error">
      <p>{message}</p>
      <p className="mt-1 text-muted">{billingMessages.safeToRetry(order.quantity, order.price)}</p>
    </Alert>
  );
}

/** Everything that has to be said before this order can be placed. */
export function PurchaseAlerts({
  product,
  purchase: { noResponse, problem, quantity, total, isLoading },
}: {
  product: Product;
  purchase: Purchase;
}) {
  const shortage = shortageOf(product);
  const atFields = problem !== null && Object.keys(problem.errors).length > 0;
  return (
    <>
      {total > CARD_MAX && <Alert tone="info">{billingMessages.tooMuchForCard}</Alert>}
      {noResponse && <NoResponseAlert message={noResponse.message} order={noResponse.sent.order} />}
      {shortage && !problem && !noResponse && (
        <p className="font-semibold text-error">{shortage}</p>
      )}
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
