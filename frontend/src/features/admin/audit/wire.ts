import type { AuditEntry as Described } from '@/api/types';

export type { AuditHead } from '@/api/types';

/** Columns and their values, as JSON has them. */
export type Columns = Readonly<Record<string, unknown>>;

export const auditKinds = [
  'account',
  'attribute',
  'brand',
  'checkout',
  'delivery',
  'dispute',
  'exemption',
  'export',
  'feed',
  'fitment',
  'import',
  'invoice',
  'note',
  'order',
  'part_number',
  'part_type',
  'picture',
  'price',
  'price_list',
  'price_list_account',
  'product',
  'product_attribute',
  'refund',
  'return',
  'review',
  'seller',
  'shipment',
  'shipping_method',
  'stock_correction',
  'synonym',
  'tax_rate',
  'upload',
  'webhook_subscription',
] as const;

export type AuditKind = (typeof auditKinds)[number];

/** What an admin changed; its `kind` is one of `auditKinds`, or one that a newer shop knows. */
export type AuditEntry = Omit<Described, 'before' | 'after'> & {
  before: Columns | null;
  after: Columns | null;
};

export interface AuditQuery {
  email?: string;
  target?: string;
  kind?: AuditKind;
  from?: string;
  until?: string;
}
