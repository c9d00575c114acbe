import type { Product } from '@/api/types';
import { formatCount } from '@/lib/money';
import { productMessages } from './pages/messages';

/** The list of facts on a product's page. */
export const facts: readonly { label: string; value: (product: Product) => string }[] = [
  { label: productMessages.category, value: ({ category }) => category },
  { label: productMessages.minimum, value: ({ minOrder }) => formatCount(minOrder) },
  { label: productMessages.available, value: ({ availableQty }) => formatCount(availableQty) },
];
