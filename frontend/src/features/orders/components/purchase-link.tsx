import { Link } from 'react-router-dom';
import type { Order } from '@/api/types';
import { buyingPaths } from '@/lib/buying-paths';
import { purchaseOf } from '../facts';
import { messages } from '../messages';

/** From an order to what was bought together with it. */
export function PurchaseLink({ order }: { order: Order }) {
  const id = purchaseOf(order);
  if (id === null) return null;
  return (
    <Link to={buyingPaths.purchase(id)} className="link-accent inline-flex min-h-11 items-center">
      {messages.actions.purchase}
      <span className="sr-only"> {messages.actions.forPart(order.productName)}</span>
    </Link>
  );
}
