import type { ProductSort } from '@/api/types';

/** Every order in which products come, as a reader sees it. */
export const sortLabels: Record<ProductSort, string> = {
  newest: 'Newest',
  price: 'Price: low to high',
  '-price': 'Price: high to low',
  name: 'Name',
};

export function isSort(value: string): value is ProductSort {
  return Object.hasOwn(sortLabels, value);
}
