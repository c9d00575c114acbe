/* Documents as the wire has them (`/invoices`). */

export type DocumentKind = 'invoice' | 'credit';

/** A document that was issued. */
export interface IssuedDocument {
  _id: string | number;
  /** As it is printed. */
  number: string;
  kind: DocumentKind;
  issuedAt: string;
  orderId?: string | null;
  checkoutId?: string | null;
  /** Dollars. */
  total: number;
  /** Where its PDF is. */
  url: string;
}
