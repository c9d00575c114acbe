import type { Product } from '@/api/types';
import { formatCount } from '@/lib/money';

/** The list of facts on a product's page. */
export const facts: readonly { label: string; value: (product: Product) => string }[] = [
  { label: 'Category', value: ({ category }) => category },
  { label: 'Minimum order quantity', value: ({ minOrder }) => formatCount(minOrder) },
  { label: 'Available quantity', value: ({ availableQty }) => formatCount(availableQty) },
];
