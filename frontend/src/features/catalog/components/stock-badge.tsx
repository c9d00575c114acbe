import type { Product } from '@/api/types';
import { formatCount } from '@/lib/money';
import { type StockLevel, stockLevel } from '@/lib/stock';
import { Badge } from '@/ui/badge';

const variants: Record<StockLevel, { tone: 'success' | 'warning' | 'error'; label: string }> = {
  in: { tone: 'success', label: 'In stock' },
  low: { tone: 'warning', label: 'Low stock' },
  short: { tone: 'error', label: 'Below minimum order' },
};

export function StockBadge({ product }: { product: Product }) {
  const { tone, label } = variants[stockLevel(product)];
  return <Badge tone={tone}>{product.availableQty === 0 ? 'Sold out' : label}</Badge>;
}

/** Why this product cannot be ordered right now; null where it can. */
export function shortageOf(product: Product): string | null {
  if (stockLevel(product) !== 'short') return null;
  if (product.availableQty === 0) {
    return `Sold out. Orders start at ${formatCount(product.minOrder)}.`;
  }
  const left = formatCount(product.availableQty);
  return `Only ${left} left, and orders start at ${formatCount(product.minOrder)}.`;
}
