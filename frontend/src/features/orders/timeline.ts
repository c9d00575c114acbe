import type { OrderEvent } from '@/api/types';
import { formatCount, formatMoney } from '@/lib/money';

/** What an order's owner waits for. */
export type Awaited = 'Paid' | 'Shipped';

/** What is still to come, in the order in which it usually comes. Nothing comes after a cancelling. */
export function stillToCome(events: readonly OrderEvent[]): Awaited[] {
  const happened = new Set(events.map(({ what }) => what));
  if (happened.has('cancelled')) return [];
  return [
    ...(happened.has('paid') || happened.has('refunded') ? [] : (['Paid'] as const)),
    ...(happened.has('shipped') ? [] : (['Shipped'] as const)),
  ];
}

/** One line of the timeline. */
export function sentenceOf(event: OrderEvent): string {
  switch (event.what) {
    case 'ordered':
      return event.quantity && event.price
        ? `Ordered: ${formatCount(event.quantity)} for ${formatMoney(event.price)}`
        : 'Ordered';
    case 'paid':
      return event.transactionId ? `Paid, transaction ${event.transactionId}` : 'Paid';
    case 'shipped':
      return event.onAccount ? 'Shipped, approved on account' : 'Shipped';
    case 'cancelled':
      return 'Cancelled';
    case 'refunded':
      return 'Refunded';
    case 'partly_refunded':
      return event.amount ? `${formatMoney(event.amount)} refunded` : 'Partly refunded';
    case 'refund_failed':
      return event.amount
        ? `Refund of ${formatMoney(event.amount)} did not arrive, it will be sent again`
        : 'Refund did not arrive, it will be sent again';
    case 'overpaid':
      return event.amount
        ? `Paid twice, ${formatMoney(event.amount)} is on its way back`
        : 'Paid twice, the second payment is on its way back';
    case 'disputed':
      return 'Payment disputed with the bank';
    case 'dispute_closed':
      return event.won
        ? 'Dispute closed, the payment stands'
        : 'Dispute closed, the bank returned the payment';
  }
}
