import { RotateCw } from 'lucide-react';
import type { Order } from '@/api/types';
import { useUser } from '@/features/accounts/session/use-session';
import { keepDraft } from '@/features/catalog/draft';
import { useLookAhead } from '@/features/catalog/use-look-ahead';
import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { messages } from '../messages';

interface OrderAgainProps {
  order: Order;
  /** Where there is room for the icon alone. */
  short?: boolean;
}

/** Leads to the product, with Billing Details open and filled in from this order. For whoever placed it. */
export function OrderAgain({ order, short = false }: OrderAgainProps) {
  const user = useUser();
  const ahead = useLookAhead(order.productId);
  if (user?.email !== order.email) return null;
  const fillIn = () =>
    keepDraft(order.productId, {
      owner: order.email,
      open: true,
      origin: 'again',
      name: order.name,
      phone: order.phone,
      address: order.address,
      quantity: String(order.quantity),
    });
  return (
    <ButtonLink
      variant="outline"
      className={short ? 'btn-square' : undefined}
      to={paths.product(order.productId)}
      onClick={fillIn}
      {...ahead}
    >
      <RotateCw aria-hidden="true" className="size-4" />
      <span className={short ? 'sr-only' : undefined}>{messages.actions.again}</span>
      <span className="sr-only"> {order.productName}</span>
    </ButtonLink>
  );
}
