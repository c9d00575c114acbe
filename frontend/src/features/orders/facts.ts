import type { Order } from '@/api/types';

/** Fulfilment: on the wire `status` becomes `'paid'` when the order ships. */
export function isShipped(order: Order): boolean {
  return order.status === 'paid';
}

export function isRefunded(order: Order): boolean {
  return order.payment?.status === 'refunded';
}

/** Unpaid, with something that a card can pay; an order shipped on account stays payable. */
export function isPayable(order: Order): boolean {
  return !order.paid && !isRefunded(order) && order.payableByCard && order.price > 0;
}

/** Why it is too late to cancel this order; null while it is not. */
export function lockOf(order: Order): 'paid' | 'shipped' | null {
  if (order.paid) return 'paid';
  if (isShipped(order)) return 'shipped';
  return null;
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });
const minute = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'short' });

/** The name of an order for its reader. */
export function orderName(order: Order): string {
  return order.number ?? order._id;
}

/** `2026-03-01T10:00:00Z` is `Mar 1, 2026`, in the reader's own time zone. */
export function formatDay(time: string): string {
  return day.format(new Date(time));
}

/** The same with the time: `Sunday, March 1, 2026 at 10:00 AM`. */
export function formatMoment(time: string): string {
  return moment.format(new Date(time));
}

/** The same in short, with the time: `Mar 1, 2026, 10:00 AM`. */
export function formatMinute(time: string): string {
  return minute.format(new Date(time));
}
