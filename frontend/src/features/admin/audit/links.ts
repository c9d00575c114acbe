import { paths } from '@/lib/paths';
import { messages } from './messages';
import type { AuditEntry } from './wire';

const pageOf: Readonly<Record<string, (id: string) => { to: string; label: string }>> = {
  product: (id) => ({ to: paths.editProduct(id), label: messages.open.product }),
  order: (id) => ({ to: paths.order(id), label: messages.open.order }),
  checkout: (id) => ({
    to: `/dashboard/allPurchases/${encodeURIComponent(id)}`,
    label: messages.open.checkout,
  }),
};

/** What the things of these kinds belong to. */
const holderOf: Readonly<Record<string, string>> = {
  picture: 'product',
  product_attribute: 'product',
  part_number: 'product',
  fitment: 'product',
  stock_correction: 'product',
  price: 'product',
  shipment: 'order',
  refund: 'order',
  dispute: 'order',
  return: 'order',
};

/** The page of what an entry is about, or of what that belongs to. */
export function pageAbout({ kind, target, parent }: AuditEntry) {
  if (target) {
    const link = pageOf[kind]?.(target);
    if (link) return link;
  }
  const holder = holderOf[kind];
  return parent && holder ? pageOf[holder]?.(parent) : undefined;
}
