import type { Facets } from '@/api/parts';

/** What the shop says of a list's filters, changed by `facets`. */
export function someFacets(total = 0, facets: Partial<Facets['facets']> = {}): Facets {
  return {
    total,
    exact: true,
    facets: {
      category: [],
      partType: [],
      brand: [],
      inStock: [],
      position: [],
      price: [],
      attributes: [],
      ...facets,
    },
  };
}
