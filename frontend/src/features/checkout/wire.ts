import type { Address } from '@/features/addresses/wire';

/* The wire of checkouts, as the shop's design has it. */

export type Terms = 'card' | 'account';

export interface Contact {
  name: string;
  phone: string;
  email?: string;
}

export interface SentLine {
  productId: string;
  quantity: number;
  /** Dollars for all of its units, as the buyer was shown them. */
  price?: number;
}

/** What is sent to be checked, and to be placed. */
export interface CheckoutRequest {
  lines: SentLine[];
  contact?: Contact;
  address: Address;
  poNumber?: string;
  note?: string;
  terms: Terms;
  shippingMethod?: string;
}

/** A line that cannot be bought as it is. */
export interface RefusedLine {
  /** Its place, from 1. */
  line: number;
  productId?: string | null;
  reason: string;
  message: string;
  /** What is left, if there is not enough. */
  available?: number | null;
  /** The smallest quantity, if it was not met. */
  minOrder?: number | null;
  /** What the line costs, if another sum was shown. */
  price?: number | null;
  /** The id of the part that replaced it. */
  replacedBy?: string | null;
}

/** A tax at one rate, in dollars. */
export interface TaxShare {
  name: string;
  basisPoints: number;
  base: number;
  tax: number;
}

/** What a checkout would cost. Null where the shop has to say what freight costs. */
export interface CheckoutCheck {
  lines: {
    line: number;
    productId: string;
    name: string;
    quantity: number;
    unit: number;
    price: number;
  }[];
  refused: RefusedLine[];
  goods: number;
  shipping: number | null;
  /** None for one line alone, which is a plain order. */
  shippingMethods: { _id: string; name: string; price: number | null }[];
  shippingMethod: string | null;
  tax: number | null;
  taxes: TaxShare[];
  due: number | null;
  /** How it may be paid; by card, where the shop does not say. */
  terms?: Terms[];
}

/** What was placed. One line alone is a plain order, without a checkout. */
export interface PlacedCheckout {
  checkoutId: string | null;
  number: string | null;
  lines: {
    line: number;
    orderId: string;
    productId: string;
    quantity: number;
    price: number;
    due: number | null;
  }[];
  refused: RefusedLine[];
  goods: number;
  shipping: number | null;
  tax: number | null;
  due: number | null;
}

export type PurchaseState = 'waiting' | 'unpaid' | 'paid' | 'cancelled';

/** A checkout in a list. */
export interface PurchaseSummary {
  _id: string;
  /** Such as `P-1001`. */
  number: string | null;
  placedAt: string;
  poNumber: string | null;
  lines: number;
  /** Lines that are not cancelled; the sums are theirs. */
  standing: number;
  goods: number;
  /** Null, as tax and due are, while the shop has to say it. */
  shipping: number | null;
  tax: number | null;
  due: number | null;
  paid: boolean;
  state: PurchaseState;
}

export interface PurchaseLine {
  line: number;
  orderId: string;
  productId: string;
  name: string;
  partNumber: string | null;
  img: string;
  quantity: number;
  unit: number;
  price: number;
  due: number | null;
  paid: boolean;
  status: string;
  cancelled: boolean;
  /** Dollars that went back. */
  refunded?: number | null;
}

/** A document that can be downloaded. */
export interface DocumentLink {
  id: string;
  number: string;
  kind: string;
  url: string;
}

export interface Purchase {
  _id: string;
  checkoutId: string;
  number: string | null;
  placedAt: string;
  contact: Contact;
  address: Address;
  poNumber: string | null;
  note: string | null;
  terms: Terms;
  /** What it is called. */
  shippingMethod: string | null;
  lines: PurchaseLine[];
  goods: number;
  shipping: number | null;
  tax: number | null;
  taxes: TaxShare[];
  due: number | null;
  paid: boolean;
  standing: number;
  state: PurchaseState;
  reservedUntil: string | null;
  invoices: DocumentLink[];
}
