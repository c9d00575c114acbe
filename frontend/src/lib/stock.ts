export type StockLevel = 'in' | 'low' | 'short';

/** A stock of fewer minimum orders than this is low; the Overview's list, which the server makes, counts the same. */
const LOW = 2;

/** `short` when the stock is less than the minimum order, `low` when it is for one of them and not for two. */
export function stockLevel(product: { availableQty: number; minOrder: number }): StockLevel {
  if (product.availableQty < product.minOrder) return 'short';
  return product.availableQty < product.minOrder * LOW ? 'low' : 'in';
}
