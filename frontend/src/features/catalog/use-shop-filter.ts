import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { categories } from '@/lib/categories';
import type { ShopFilter } from './api';
import { isSort } from './sorts';

/** How the parts are laid out: as cards, or as rows for who knows what to look for. */
export type ShopView = 'grid' | 'list';

export interface ChangeOptions {
  /** Whether the address takes the place of the one before in the history. */
  replace?: boolean;
}

/** What else an address may narrow the shop by; `attr.` and a name is an attribute. */
const NARROWS = [
  'number',
  'brand',
  'partType',
  'position',
  'minPrice',
  'maxPrice',
  'vehicle',
  'engine',
  'fit',
];

const narrows = (name: string) => NARROWS.includes(name) || /^attr\../.test(name);

/** Reads a filter out of an address; what the shop does not know counts as not asked. */
export function readFilter(params: URLSearchParams): ShopFilter {
  const category = params.get('category') ?? '';
  const sort = params.get('sort') ?? '';
  return {
    q: (params.get('q') ?? '').trim(),
    category: categories.find(({ value }) => value === category)?.value ?? '',
    sort: isSort(sort) ? sort : 'newest',
    inStock: params.get('inStock') === 'true',
    more: [...params].filter(([name, value]) => narrows(name) && value !== ''),
  };
}

const PREFERRED = 'shopView';

/** What was chosen last in this browser; cards until then. */
function preferredView(): ShopView {
  try {
    return localStorage.getItem(PREFERRED) === 'list' ? 'list' : 'grid';
  } catch {
    return 'grid';
  }
}

function keepView(view: ShopView): void {
  try {
    localStorage.setItem(PREFERRED, view);
  } catch {
    // The address then keeps it, and the next visit begins with cards.
  }
}

/** The view that an address asks for; one that asks for none leaves it to whoever looks. */
function readView(params: URLSearchParams): ShopView {
  return params.get('view') === 'list' ? 'list' : preferredView();
}

/** The address for a filter: only what differs from the plain shop. */
export function writeFilter(
  { q, category, sort, inStock, more }: ShopFilter,
  view: ShopView = 'grid',
): URLSearchParams {
  const params = new URLSearchParams();
  if (q) params.set('q', q);
  if (category) params.set('category', category);
  if (sort !== 'newest') params.set('sort', sort);
  if (inStock) params.set('inStock', 'true');
  for (const [name, value] of more) params.append(name, value);
  if (view !== 'grid') params.set('view', view);
  return params;
}

/** The shop's filter and view. They live in the address, so that Back, a reload and a shared link all keep them. */
export function useShopFilter() {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => readFilter(params), [params]);
  const view = readView(params);
  const change = useCallback(
    (part: Partial<ShopFilter>, { replace = false }: ChangeOptions = {}) =>
      setParams((before) => writeFilter({ ...readFilter(before), ...part }, readView(before)), {
        replace,
        preventScrollReset: true,
      }),
    [setParams],
  );
  const changeView = useCallback(
    (next: ShopView) => {
      keepView(next);
      setParams((before) => writeFilter(readFilter(before), next), {
        replace: true,
        preventScrollReset: true,
      });
    },
    [setParams],
  );
  return { filter, view, change, changeView };
}
