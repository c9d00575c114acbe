export type StockLevel = 'in' | 'low' | 'short';

/** `short` when the stock is less than the minimum order, `low` when it holds fewer than four of them. */
export function stockLevel(product: { availableQty: number; minOrder: number }): StockLevel {
  if (product.availableQty < product.minOrder) return 'short';
  return product.availableQty < product.minOrder * 4 ? 'low' : 'in';
}
