import type { Product } from '@/api/types';
import { type StockLevel, stockLevel } from '@/lib/stock';
import { Badge } from '@/ui/badge';
import { stockMessages } from '../pages/messages';

const tones = {
  in: 'success',
  low: 'warning',
  short: 'error',
} as const satisfies Record<StockLevel, string>;

export function StockBadge({ product }: { product: Product }) {
  const level = stockLevel(product);
  const label = product.availableQty === 0 ? stockMessages.soldOut : stockMessages[level];
  return <Badge tone={tones[level]}>{label}</Badge>;
}

/** Why this product cannot be ordered right now; null where it can. */
export function shortageOf(product: Product): string | null {
  if (stockLevel(product) !== 'short') return null;
  const { availableQty, minOrder } = product;
  return availableQty === 0
    ? stockMessages.whySoldOut(minOrder)
    : stockMessages.whyShort(availableQty, minOrder);
}
