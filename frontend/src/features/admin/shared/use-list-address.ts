import { useCallback, useMemo } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';

/** Rows of one page of any admin list. */
export const PAGE_SIZE = 20;

/** The sorts and filters that a list offers. */
export interface ListKind<Sort extends string, Param extends string, Filter extends string> {
  /** The first is what stands when nothing was chosen; it is left out of the address. */
  sorts: readonly [Sort, ...Sort[]];
  /** The name of the parameter that filters the list, as `state` or `category`. */
  param: Param;
  filters: readonly Filter[];
  /** The parameter that chooses another list of the kind, which stays whatever is searched in it. */
  view?: string;
  /** Whether the list can be narrowed to some days. */
  hasDays?: boolean;
}

/** When a list is not filtered. The wire has no word for it: the parameter is left out. */
export const UNFILTERED = 'unfiltered';
export type OrUnfiltered<Filter> = Filter | typeof UNFILTERED;

interface ListFilter<Sort, Filter> {
  /** The search text; empty for none. */
  q: string;
  sort: Sort;
  filter: OrUnfiltered<Filter>;
  /** The first and the last day, as `2026-11-21`; empty for none. */
  from: string;
  to: string;
}

/** The query of the request, in the wire's own names; defaults are left out. */
type ListQuery<Sort, Param extends string, Filter> = {
  q?: string;
  sort?: Sort;
  from?: string;
  to?: string;
} & {
  [Name in Param]?: Filter;
};

/** Which page of a list is shown, and the ways to the others. */
export interface ListPages {
  /** Where the page before ended; empty on the first page. */
  cursor: string;
  /** Counted from 0. */
  page: number;
  /** Whether a search or a filter hides something. */
  narrowed: boolean;
  /** Whether it is a search that does. */
  searched: boolean;
  /** Whether `back` leads to the page before, or, on an address that came from elsewhere, to the first one. */
  knowsWayBack: boolean;
  forward: (cursor: string) => void;
  back: () => void;
  /** Shows all of it, from the first page. */
  clear: () => void;
}

export interface ListAddress<Sort extends string, Param extends string, Filter extends string>
  extends ListFilter<Sort, Filter>,
    ListPages {
  query: ListQuery<Sort, Param, Filter>;
  search: (search: string) => void;
  sortBy: (sort: Sort) => void;
  filterBy: (filter: OrUnfiltered<Filter>) => void;
  /** The query of the address under another filter, with search and order as they are. */
  searchWith: (filter: OrUnfiltered<Filter>) => string;
  limitTo: (days: { from: string; to: string }) => void;
}

/** A day as the wire takes it; empty if it is none. */
function readDay(text: string | null): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') && !Number.isNaN(Date.parse(text ?? ''));
  return isDay ? (text ?? '') : '';
}

/** Reads what is chosen out of an address; what is unknown counts as not chosen. */
function readFilter<Sort extends string, Filter extends string>(
  kind: ListKind<Sort, string, Filter>,
  params: URLSearchParams,
): ListFilter<Sort, Filter> {
  const [from, to] = kind.hasDays
    ? [readDay(params.get('from')), readDay(params.get('to'))]
    : ['', ''];
  return {
    q: (params.get('q') ?? '').trim(),
    sort: kind.sorts.find((sort) => sort === params.get('sort')) ?? kind.sorts[0],
    filter: kind.filters.find((filter) => filter === params.get(kind.param)) ?? UNFILTERED,
    from,
    to: to < from ? '' : to,
  };
}

function queryOf<Sort extends string, Param extends string, Filter extends string>(
  kind: ListKind<Sort, Param, Filter>,
  { q, sort, filter, from, to }: ListFilter<Sort, Filter>,
) {
  return {
    ...(q ? { q } : {}),
    ...(filter === UNFILTERED ? {} : { [kind.param]: filter }),
    ...(sort === kind.sorts[0] ? {} : { sort }),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
  } as ListQuery<Sort, Param, Filter> & Record<string, string>;
}

/** What of an address stays whatever is searched. */
function viewOf({ view }: ListKind<string, string, string>, params: URLSearchParams) {
  const shown = view === undefined ? null : params.get(view);
  return view === undefined || shown === null ? {} : { [view]: shown };
}

function readPlace(params: URLSearchParams): { cursor: string; page: number } {
  const cursor = params.get('cursor') ?? '';
  const page = Number(params.get('page')) - 1;
  return cursor && Number.isSafeInteger(page) && page > 0
    ? { cursor, page }
    : { cursor: '', page: 0 };
}

/**
 * The cursors that led here, this page's own last. They are kept in the history beside the address, since a cursor knows
 * no way back; null for a later page whose address came from elsewhere.
 */
function wayTo(
  { cursor, page }: { cursor: string; page: number },
  state: unknown,
): readonly string[] | null {
  if (page === 0) return [];
  const way = (state as { way?: unknown } | null)?.way;
  const fits =
    Array.isArray(way) &&
    way.length === page &&
    way.every((each) => typeof each === 'string') &&
    way.at(-1) === cursor;
  return fits ? way : null;
}

/**
 * What an admin list shows: search, order, filter and page. All of it stands in the address, so that Back, a
 * reload and a shared link keep it. Another search, order or filter begins at the first page. `kind` has to keep its
 * identity.
 */
export function useListAddress<Sort extends string, Param extends string, Filter extends string>(
  kind: ListKind<Sort, Param, Filter>,
): ListAddress<Sort, Param, Filter> {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const chosen = useMemo(() => readFilter(kind, params), [kind, params]);
  const query = useMemo(() => queryOf(kind, chosen), [kind, chosen]);
  const place = readPlace(params);
  const way = wayTo(place, state);
  const isOfDays = chosen.from !== '' || chosen.to !== '';

  const change = useCallback(
    (filter: Partial<ListFilter<Sort, Filter>>, replace = false) =>
      setParams(
        (before) => ({
          ...viewOf(kind, before),
          ...queryOf(kind, { ...readFilter(kind, before), ...filter }),
        }),
        { replace },
      ),
    [kind, setParams],
  );
  const turn = (cursors: readonly string[], page: number) => {
    const cursor = cursors.at(-1);
    const list = { ...viewOf(kind, params), ...query };
    setParams(cursor ? { ...list, cursor, page: String(page + 1) } : list, {
      state: { way: cursors },
    });
  };

  return {
    ...chosen,
    ...place,
    query,
    narrowed: chosen.q !== '' || chosen.filter !== UNFILTERED || isOfDays,
    searched: chosen.q !== '' || isOfDays,
    knowsWayBack: way !== null,
    search: useCallback((q: string) => change({ q }, true), [change]),
    sortBy: (sort) => change({ sort }),
    filterBy: (filter) => change({ filter }),
    searchWith: (filter) => String(new URLSearchParams(queryOf(kind, { ...chosen, filter }))),
    limitTo: (days) => change(days, true),
    clear: () => change({ q: '', filter: UNFILTERED, from: '', to: '' }),
    forward: (cursor) => turn([...(way ?? []), cursor], place.page + 1),
    back: () => turn(way?.slice(0, -1) ?? [], place.page - 1),
  };
}
