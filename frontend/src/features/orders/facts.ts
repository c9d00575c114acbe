import type { Order } from '@/api/types';
import { messages } from './messages';

/** Fulfilment: on the wire `status` becomes `'paid'` when the order ships. */
export function isShipped(order: Order): boolean {
  return order.status === 'paid';
}

export function isRefunded(order: Order): boolean {
  return order.payment?.status === 'refunded';
}

/** Neither paid nor over. */
export function isOpen(order: Order): boolean {
  return !order.paid && !isRefunded(order) && !order.cancelledAt;
}

/** Unpaid, with something that a card can pay; an order shipped on account stays payable. */
export function isPayable(order: Order): boolean {
  return isOpen(order) && order.payableByCard && order.price > 0;
}

/** Why it is too late to cancel this order; null while it is not. */
export function lockOf(order: Order): 'paid' | 'shipped' | null {
  if (order.paid) return 'paid';
  if (isShipped(order)) return 'shipped';
  return null;
}

/** An order that was bought together with others. */
interface OfPurchase {
  checkoutId?: string | null;
  /** Goods, freight and tax, in dollars. */
  due?: number | null;
}

/** The id of the purchase that it is a line of; null for an order by itself. */
export function purchaseOf(order: Order): string | null {
  return (order as Order & OfPurchase).checkoutId ?? null;
}

/** Dollars that have to be paid for it, with its freight and its tax. */
export function dueOf(order: Order): number {
  return (order as Order & OfPurchase).due ?? order.price;
}

/** The name of an order for its reader. */
export function orderName(order: Order): string {
  return order.number ?? order._id;
}

/** What was ordered, as somebody who has to find it needs it: `Brake disc (DL-BD-3120)`. */
export function partOf({ productName, partNumber }: Order): string {
  return partNumber ? `${productName} (${partNumber})` : productName;
}

/** The vehicle that a part is for, and what was said of it when it was ordered, line by line. */
export function vehicleOf({ vehicle }: Order): string | null {
  if (!vehicle) return null;
  const { label, verdict, conditions } = vehicle;
  const { fit } = messages;
  const said = conditions.map(({ text, confirmed }) =>
    confirmed ? fit.confirmed(text) : fit.open(text),
  );
  return [label, fit[verdict], ...said].join('\n');
}
