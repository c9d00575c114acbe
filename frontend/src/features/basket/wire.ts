/* The wire of buying, as the shop's design has it. */

/** What became of a line: it can be ordered as it is, or what is in its way. */
export type LineStatus =
  | 'ok'
  | 'replaced'
  | 'choose'
  | 'adjusted'
  | 'short'
  | 'unknown'
  /** Its price is another one than when it was added. */
  | 'moved';

/** The part that took the place of another. */
export interface Replacement {
  productId: string;
  partNumber?: string | null;
  name?: string;
}

/** A line of an account's basket, as the shop sees it now. */
export interface CartLine {
  productId: string;
  quantity: number;
  /** Dollars for all of its units, as the buyer was shown them. */
  price?: number | null;
  name: string;
  partNumber: string | null;
  img: string;
  /** Dollars for one unit, now; null where it has no price. */
  unit: number | null;
  /** Dollars for all of its units, now. */
  total: number | null;
  available: number;
  minOrder: number;
  status: LineStatus;
  message: string | null;
  replacedBy?: Replacement | string | null;
}

export interface Cart {
  version: number | string;
  lines: CartLine[];
}

/** A line as it is sent. */
export interface SentLine {
  productId: string;
  quantity: number;
  price?: number;
}

export interface PriceTier {
  /** The least quantity. */
  from: number;
  price: number;
}

/** What a quantity of a part costs its buyer. */
export interface Quote {
  productId: string;
  quantity: number;
  unit: number;
  list: number;
  total: number;
  tiers: PriceTier[];
}
