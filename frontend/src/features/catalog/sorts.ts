import type { ProductSort } from '@/api/types';
import { sortMessages } from './pages/messages';

/** Every order in which products come, as a reader sees it. */
export const sortLabels: Record<ProductSort, string> = sortMessages;

export function isSort(value: string): value is ProductSort {
  return Object.hasOwn(sortLabels, value);
}
