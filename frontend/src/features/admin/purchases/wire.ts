/* Checkouts as admins see them (`/allCheckouts`, `/checkouts/{id}`). */
import type { Purchase, PurchaseState, PurchaseSummary, Terms } from '@/features/checkout/wire';

export const purchaseStates = [
  'waiting',
  'unpaid',
  'paid',
  'cancelled',
] as const satisfies readonly PurchaseState[];

/** A row of the list of everybody's. */
export interface ListedPurchase extends PurchaseSummary {
  /** Who ordered. */
  name: string;
  email: string;
  /** How many of the lines that were not canceled have shipped. */
  shipped: number;
  terms: Terms;
}

/** As its customer sees it; the shop knows who is there for it. */
export type AnyPurchase = Omit<Purchase, 'contact'> & {
  contact: { name: string; phone: string; email: string };
};
