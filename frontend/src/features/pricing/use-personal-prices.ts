import { useMemo } from 'react';
import type { Product } from '@/api/types';
import { type Tier, unitPriceAt } from '@/lib/tiers';
import { useFindPricesQuery } from './api';

/** A product as the wire has it: `yourPrice` for whoever is signed in, at the least that can be ordered. */
export interface PricedProduct extends Product {
  tiers?: Tier[];
  yourPrice?: number | null;
}

/** Until the whole ladder is known: nobody pays more than their price, nor more than the list. */
function asFarAsKnown(product: PricedProduct): PricedProduct {
  const { yourPrice, tiers, price } = product;
  if (yourPrice == null || yourPrice >= price) return product;
  const lowered = (tiers ?? []).map((tier) => ({
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
export function usePersonalPrices<Item extends PricedProduct>(
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
