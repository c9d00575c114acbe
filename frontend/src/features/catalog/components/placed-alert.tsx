import { Link } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { PersistentAlert } from '@/ui/persistent-alert';
import { productMessages as messages } from '../pages/messages';
import type { Placed } from '../use-purchase';

interface PlacedAlertProps {
  name: string;
  placed: Placed;
  onDismiss: () => void;
}

const link = 'link-accent inline-flex min-h-11 items-center';

/** The order is placed, and what can be done next. */
export function PlacedAlert({ name, placed, onDismiss }: PlacedAlertProps) {
  return (
    <PersistentAlert tone="success" onDismiss={onDismiss}>
      <p className="font-semibold">{messages.placed}</p>
      <p className="text-muted">{messages.placedSum(placed.quantity, name, placed.total)}</p>
      <p className="mt-1 flex flex-wrap gap-x-6">
        <Link className={link} to={paths.payment(placed.orderId)}>
          {messages.payNow}
        </Link>
        <Link className={link} to={paths.myOrders}>
          {messages.myOrders}
        </Link>
      </p>
    </PersistentAlert>
  );
}
