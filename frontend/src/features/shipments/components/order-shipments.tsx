import { ExternalLink } from 'lucide-react';
import { Suspense } from 'react';
import type { Order } from '@/api/types';
import { isRefunded, isShipped } from '@/features/orders/facts';
import { formatTime } from '@/lib/dates';
import { retryingLazy } from '@/lib/retrying-lazy';
import { webLink } from '@/lib/web-link';
import { Answered } from '@/ui/answered';
import { Skeleton } from '@/ui/skeleton';
import { useListShipmentsQuery } from '../api';
import { messages } from '../messages';
import type { Shipment } from '../wire';

/** Only admins ship. */
const AddShipment = retryingLazy(
  () => import(/* webpackChunkName: "admin-order" */ './add-shipment'),
);

function ShipmentItem({ shipment }: { shipment: Shipment }) {
  const { quantity, carrier, trackingNumber, trackingUrl, sentAt } = shipment;
  const link = trackingUrl ? webLink(trackingUrl) : null;
  return (
    <li className="grid gap-1 py-3">
      <p className="font-semibold">
        {messages.units(quantity)} {carrier && messages.by(carrier)}
      </p>
      <p className="text-sm text-muted">
        <time dateTime={sentAt}>{formatTime(sentAt)}</time>
      </p>
      {trackingNumber && (
        <p className="wrap-anywhere">
          <span className="text-sm text-muted">{messages.tracking} </span>
          {trackingNumber}
        </p>
      )}
      {link && (
        <a
          className="link-accent inline-flex min-h-11 items-center gap-1.5 justify-self-start print:hidden"
          href={link}
          target="_blank"
          rel="noopener noreferrer"
        >
          {messages.track}
          <ExternalLink aria-hidden="true" className="size-4" />
          <span className="sr-only"> {trackingNumber ?? messages.units(quantity)}</span>
        </a>
      )}
    </li>
  );
}

interface OrderShipmentsProps {
  order: Order;
  /** Whether whoever looks may ship. */
  admin: boolean;
  className: string;
  onDone: (said: string) => void;
}

/** In how many parcels an order left, and where they are. Nothing where nothing has left, and nobody here may ship. */
export function OrderShipments({ order, admin, className, onDone }: OrderShipmentsProps) {
  const answer = useListShipmentsQuery(order._id, { refetchOnMountOrArgChange: true });
  const { data } = answer;
  const shipped = (data ?? []).reduce((sum, { quantity }) => sum + quantity, 0);
  const left = isShipped(order) ? 0 : order.quantity - shipped;
  const mayShip = admin && left > 0 && !isRefunded(order);
  if (data?.length === 0 && !mayShip) return null;
  return (
    <section aria-labelledby="shipments" className={className}>
      <h2 id="shipments" className="text-2xl">
        {messages.heading}
      </h2>
      <Answered
        answer={answer}
        loading={messages.loading}
        failed={messages.failed}
        skeleton={
          <div role="status" aria-label={messages.loading}>
            <Skeleton className="h-16 w-full" />
          </div>
        }
      >
        {(shipments) => (
          <>
            <p className="text-muted">
              {shipments.length === 0 ? messages.none : messages.shipped(shipped, order.quantity)}
            </p>
            <ul aria-label={messages.heading} className="divide-y divide-base-300 empty:hidden">
              {shipments.map((shipment) => (
                <ShipmentItem key={shipment._id} shipment={shipment} />
              ))}
            </ul>
            {mayShip && (
              <div className="print:hidden">
                <Suspense fallback={<Skeleton className="h-11 w-full" />}>
                  <AddShipment order={order} left={left} onDone={onDone} />
                </Suspense>
              </div>
            )}
          </>
        )}
      </Answered>
    </section>
  );
}
