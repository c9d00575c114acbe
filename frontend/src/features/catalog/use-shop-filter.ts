import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { categories } from '@/lib/categories';
import type { ShopFilter } from './api';
import { isSort } from './sorts';

/** Reads a filter out of an address; what the shop does not know counts as not asked. */
export function readFilter(params: URLSearchParams): ShopFilter {
  const category = params.get('category') ?? '';
  const sort = params.get('sort') ?? '';
  return {
    q: (params.get('q') ?? '').trim(),
    category: categories.find(({ value }) => value === category)?.value ?? '',
    sort: isSort(sort) ? sort : 'newest',
    inStock: params.get('inStock') === 'true',
  };
}

/** The address for a filter: only what differs from the plain shop. */
export function writeFilter({ q, category, sort, inStock }: ShopFilter): URLSearchParams {
  const params = new URLSearchParams();
  if (q) params.set('q', q);
  if (category) params.set('category', category);
  if (sort !== 'newest') params.set('sort', sort);
  if (inStock) params.set('inStock', 'true');
  return params;
}

/** The shop's filter. It lives in the address, so that Back, a reload and a shared link all keep it. */
export function useShopFilter() {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => readFilter(params), [params]);
  const change = useCallback(
    (part: Partial<ShopFilter>, options?: { replace?: boolean }) =>
      setParams((before) => writeFilter({ ...readFilter(before), ...part }), {
        replace: options?.replace ?? false,
        preventScrollReset: true,
      }),
    [setParams],
  );
  return { filter, change };
}
