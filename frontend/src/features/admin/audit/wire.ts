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

/** What an admin changed. */
export interface AuditEntry {
  number: number;
  at: string;
  accountId: string;
  email: string;
  operation: string;
  method: string;
  route: string;
  /** One of `auditKinds`, or one that a newer shop knows. */
  kind: string;
  change: 'added' | 'changed' | 'removed' | 'done';
  target: string | null;
  parent: string | null;
  before: Columns | null;
  after: Columns | null;
  clientAddress: string;
  userAgent: string | null;
  requestId: string;
  hash: string;
}

export interface AuditHead {
  number: number;
  hash: string;
}

export interface AuditQuery {
  email?: string;
  target?: string;
  kind?: AuditKind;
  from?: string;
  until?: string;
}
