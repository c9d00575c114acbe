import { toCents, toDollars } from '@/lib/money';
import { purchaseMessages } from './messages';
import type { Purchase, PurchaseLine, PurchaseState } from './wire';

const dueOf = (lines: readonly PurchaseLine[], paid: boolean) =>
  toDollars(
    lines
      .filter((line) => !line.cancelled && line.paid === paid)
      .reduce((cents, { due }) => cents + toCents(due ?? 0), 0),
  );

/** Dollars that were paid, line by line or together. */
export const paidOf = ({ lines }: Pick<Purchase, 'lines'>) => dueOf(lines, true);

/** Dollars that are still to be paid. */
export const remainingOf = ({ lines }: Pick<Purchase, 'lines'>) => dueOf(lines, false);

/** Whether it can be paid now. */
export function isPayable({ state, shipping }: Pick<Purchase, 'state' | 'shipping'>): boolean {
  return state === 'unpaid' && shipping !== null;
}

export const nameOf = ({ number }: { number: string | null }) => purchaseMessages.name(number);

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
