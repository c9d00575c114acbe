/* Price lists as the wire has them (`/price-lists`). */
import type { Tier } from '@/lib/tiers';

export interface NewPriceList {
  name: string;
  /** What is taken off the list price, 0.01 to 99.99; a list without it names prices of its own. */
  percent?: number | null;
  priority: number;
  /** Sent as its first and its last day, `2026-11-26`; answered as the moments at which it begins and no longer applies. */
  validFrom?: string | null;
  validUntil?: string | null;
}

export interface PriceList extends NewPriceList {
  _id: string;
  /** How many buy by it, and how many prices it names. */
  accounts: number;
  prices: number;
}

/** A price of a list: from how many units on a product costs so much. */
export interface ListPrice extends Tier {
  productId: string;
  name?: string;
  partNumber?: string | null;
}

export interface ListPrices {
  items: ListPrice[];
}

/** The e-mails of those who buy by a list. */
export interface ListAccounts {
  emails: string[];
}

export interface Tiers {
  tiers: Tier[];
}
