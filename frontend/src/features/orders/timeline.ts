import type { OrderEvent } from '@/api/types';
import { formatMoney } from '@/lib/money';
import { messages } from './messages';

const { events: text } = messages;

/** What is still to come, in the order in which it usually comes. Nothing comes after a cancelling. */
export function stillToCome(events: readonly OrderEvent[]): string[] {
  const happened = new Set(events.map(({ what }) => what));
  if (happened.has('cancelled')) return [];
  return [
    ...(happened.has('paid') || happened.has('refunded') ? [] : [text.paid]),
    ...(happened.has('shipped') ? [] : [text.shipped]),
  ];
}

/** One line of the timeline. */
export function sentenceOf(event: OrderEvent): string {
  const amount = event.amount ? formatMoney(event.amount) : null;
  switch (event.what) {
    case 'ordered':
      return event.quantity && event.price
        ? text.ordered(event.quantity, formatMoney(event.price))
        : text.orderedOnly;
    case 'freight_set':
      return text.freightSet;
    case 'paid':
      return event.transactionId ? text.paidWith(event.transactionId) : text.paid;
    case 'shipped':
      return event.onAccount ? text.shippedOnAccount : text.shipped;
    case 'part_shipped':
      return text.partShipped(event.quantity ?? 0);
    case 'cancelled':
      return text.canceled;
    case 'refunded':
      return text.refunded;
    case 'partly_refunded':
      return text.partlyRefunded(amount);
    case 'refund_failed':
      return text.refundFailed(amount);
    case 'overpaid':
      return text.overpaid(amount);
    case 'disputed':
      return text.disputed;
    case 'dispute_closed':
      return event.won ? text.disputeWon : text.disputeLost;
    case 'return_requested':
      return text.returnRequested(event.quantity ?? 0);
    case 'return_accepted':
      return text.returnAccepted(event.quantity ?? 0, amount);
    case 'return_declined':
      return text.returnDeclined(event.quantity ?? 0, event.answer ?? '');
  }
}
