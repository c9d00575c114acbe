/* Checkouts as admins see them (`/allCheckouts`, `/checkouts/{id}`). Money in dollars. */
import type { Address } from '@/features/addresses/wire';
import type { DocumentKind } from '@/features/documents/wire';

export const purchaseStates = ['waiting', 'unpaid', 'paid', 'cancelled'] as const;
/** `waiting` is for a figure for its freight. */
export type PurchaseState = (typeof purchaseStates)[number];

export interface Contact {
  name: string;
  phone: string;
  email: string;
}

interface Sums {
  goods: number;
  /** Null while it waits for a figure. */
  shipping: number | null;
  tax: number;
  due: number | null;
  paid: number;
}

/** A row of the list. */
export interface ListedPurchase extends Sums {
  _id: string;
  number: string | number;
  placedAt: string;
  poNumber?: string | null;
  /** How many lines it has, and how many of them were not canceled. */
  lines: number;
  standing: number;
  state: PurchaseState;
  contact?: Contact;
  email?: string;
}

export interface PurchaseLine {
  line: number;
  orderId: string;
  productId: string;
  name: string;
  partNumber?: string | null;
  img: string;
  quantity: number;
  unit: number;
  price: number;
  due: number;
  paid: boolean | number;
  /** `paid` of an order that was shipped, as the spec has it. */
  status: string;
  cancelled: boolean | string | null;
  refunded: number | null;
}

export interface Purchase extends Sums {
  _id: string;
  number: string | number;
  placedAt: string;
  contact: Contact;
  address: Address;
  poNumber?: string | null;
  note?: string | null;
  terms: string;
  shippingMethod?: string | { name: string } | null;
  lines: PurchaseLine[];
  taxes: { name: string; basisPoints: number; base: number; tax: number }[];
  standing: number;
  state: PurchaseState;
  reservedUntil: string | null;
  invoices: { id: string | number; number: string; kind: DocumentKind; url: string }[];
}
