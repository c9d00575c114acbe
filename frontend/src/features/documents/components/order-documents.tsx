import type { Order } from '@/api/types';
import { orderName, purchaseOf } from '@/features/orders/facts';
import { Answered } from '@/ui/answered';
import { Skeleton } from '@/ui/skeleton';
import { useListDocumentsQuery } from '../api';
import { messages } from '../messages';
import { DocumentButton } from './document-button';
import { DocumentList } from './document-list';
import { listed } from './listed';

interface OrderDocumentsProps {
  order: Order;
  /** Whether whoever looks packs it. */
  admin: boolean;
  className: string;
}

/** The documents of an order: its own, or those of the purchase that it is a line of. */
export function OrderDocuments({ order, admin, className }: OrderDocumentsProps) {
  const answer = useListDocumentsQuery(order.email, { refetchOnMountOrArgChange: true });
  const purchase = purchaseOf(order);
  return (
    <section aria-labelledby="documents" className={`${className} print:hidden`}>
      <h2 id="documents" className="text-2xl">
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
        {(documents) => (
          <DocumentList
            documents={documents
              .filter(
                ({ orderId, checkoutId }) =>
                  orderId === order._id || (purchase !== null && checkoutId === purchase),
              )
              .map(listed)}
          />
        )}
      </Answered>
      {admin && (
        <div>
          <DocumentButton
            url={`/orders/${encodeURIComponent(order._id)}/packing-slip.pdf`}
            label={messages.packingSlip}
            context={orderName(order)}
          />
        </div>
      )}
    </section>
  );
}
