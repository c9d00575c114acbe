import type { Product } from '@/api/types';

export type StockLevel = 'in' | 'low' | 'short';

/** `short` when the stock is less than the minimum order, `low` when it is less than what the server calls low. */
export function stockLevel({
  availableQty,
  minOrder,
  lowStockBelow,
}: Pick<Product, 'availableQty' | 'minOrder' | 'lowStockBelow'>): StockLevel {
  if (availableQty < minOrder) return 'short';
  return availableQty < lowStockBelow ? 'low' : 'in';
}
