import { useMemo } from 'react';
import type { Product } from '@/api/types';
import { unitPriceAt } from '@/lib/tiers';
import { useFindPricesQuery } from './api';

/** Until the whole ladder is known: nobody pays more than their price, nor more than the list. */
function asFarAsKnown(product: Product): Product {
  const { yourPrice, tiers, price } = product;
  if (yourPrice === undefined || yourPrice >= price) return product;
  const lowered = tiers.map((tier) => ({
    ...tier,
    price: Math.min(tier.price, yourPrice),
  }));
  return { ...product, price: yourPrice, tiers: lowered };
}

interface Personal<Item> {
  /** The product at what it costs this account. */
  product: Item;
  /** What the list says, where that is more. */
  listAt: (quantity: number) => number | null;
}

/**
 * A product at what it costs whoever looks at it. While that is not known, or cannot be asked for, it is at its list price: the
 * shop refuses an order at another price than its own, and names that one.
 */
export function usePersonalPrices<Item extends Product>(
  product: Item,
  email: string,
): Personal<Item> {
  const { _id: productId, minOrder: quantity } = product;
  const { currentData, isFetching, isError } = useFindPricesQuery(
    { email, items: [{ productId, quantity }] },
    { refetchOnMountOrArgChange: true },
  );
  const found = isFetching || isError ? undefined : currentData?.items[0];
  return useMemo(() => {
    const priced = found
      ? { ...product, price: found.unit, tiers: found.tiers }
      : (asFarAsKnown(product) as Item);
    return {
      product: priced,
      listAt: (units) => {
        const list = unitPriceAt(product, units);
        return list > unitPriceAt(priced, units) ? list : null;
      },
    };
  }, [product, found]);
}
