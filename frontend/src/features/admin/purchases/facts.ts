import type { PurchaseLine, PurchaseState } from '@/features/checkout/wire';
import { formatMoney } from '@/lib/money';
import { messages } from './messages';

type LineState = keyof typeof messages.lineStates;

/** What has become of a line. */
export function lineState({ cancelled, status, paid }: PurchaseLine): LineState {
  if (cancelled) return 'cancelled';
  // The spec's word for what has shipped.
  if (status === 'paid') return 'shipped';
  return paid ? 'paid' : 'unpaid';
}

export const toneOf: Record<PurchaseState, 'neutral' | 'success' | 'warning' | 'accent'> = {
  waiting: 'accent',
  unpaid: 'warning',
  paid: 'success',
  cancelled: 'neutral',
};

export const lineTone: Record<LineState, 'neutral' | 'success' | 'warning'> = {
  cancelled: 'neutral',
  shipped: 'success',
  paid: 'warning',
  unpaid: 'neutral',
};

/** What a purchase is called; one that was placed this moment may have no number yet. */
export const numberOf = ({ number, _id }: { number: string | null; _id: string }) => number ?? _id;

/** A sum that may wait for a figure. */
export const sumOf = (dollars: number | null) =>
  dollars === null ? messages.open : formatMoney(dollars);
