import { toCents, toDollars } from '@/lib/money';
import { purchaseMessages } from './messages';
import type { Purchase, PurchaseState } from './wire';

type Sums = Pick<Purchase, 'due' | 'paid' | 'state'>;

/** Dollars that were paid. */
export function paidOf({ paid, due }: Pick<Purchase, 'paid' | 'due'>): number {
  if (typeof paid === 'number') return paid;
  return paid ? due : 0;
}

/** Dollars that are still to be paid. */
export function remainingOf({ due, paid, state }: Sums): number {
  if (state === 'paid' || state === 'cancelled') return 0;
  return Math.max(0, toDollars(toCents(due) - toCents(paidOf({ paid, due }))));
}

/** Whether a card can pay it now. */
export function isPayable(purchase: Sums & { shipping: number | null }): boolean {
  return purchase.state === 'unpaid' && purchase.shipping !== null && remainingOf(purchase) > 0;
}

export const nameOf = ({ number }: { number: string | number }) => purchaseMessages.name(number);

const tones = {
  waiting: 'warning',
  unpaid: 'warning',
  paid: 'success',
  cancelled: 'neutral',
} as const satisfies Record<PurchaseState, string>;

export const stateOf = (state: PurchaseState) => ({
  tone: tones[state],
  label: purchaseMessages.state[state],
});
