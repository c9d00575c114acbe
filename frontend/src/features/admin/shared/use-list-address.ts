import { useCallback, useMemo } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';

/** Rows of one page of any list of the back office. */
export const PAGE_SIZE = 20;

/** What a list lets one choose. */
export interface ListKind<Sort extends string, By extends string, Part extends string> {
  /** The first is what stands when nothing was chosen; it is left out of the address. */
  sorts: readonly [Sort, ...Sort[]];
  /** The name of the parameter that picks a part of the list, as `state` or `category`. */
  by: By;
  parts: readonly Part[];
}

/** When no part of a list is picked. Not a word of the wire: what is not asked for is not said. */
export const ALL = 'all';
export type OrAll<Part> = Part | typeof ALL;

interface Asked<Sort, Part> {
  /** The words searched for; empty for none. */
  q: string;
  sort: Sort;
  part: OrAll<Part>;
}

/** What narrows and sorts a list, in the wire's own words; nothing that says what would be so anyway. */
type Wish<Sort, By extends string, Part> = { q?: string; sort?: Sort } & { [Name in By]?: Part };

/** Which page of a list is shown, and the ways to the others. */
export interface ListPages {
  /** Where the page before ended; empty on the first page. */
  cursor: string;
  /** Counted from 0. */
  page: number;
  /** Whether words or a part keep something out of sight. */
  narrowed: boolean;
  /** Whether `back` leads to the page before, or, on an address that came from elsewhere, to the first one. */
  knowsWayBack: boolean;
  forward: (cursor: string) => void;
  back: () => void;
  /** Shows all of it, from the first page. */
  clear: () => void;
}

export interface ListAddress<Sort extends string, By extends string, Part extends string>
  extends Asked<Sort, Part>,
    ListPages {
  wish: Wish<Sort, By, Part>;
  ask: (search: string) => void;
  sortBy: (sort: Sort) => void;
  pick: (part: OrAll<Part>) => void;
}

/** Reads a wish out of an address; what nobody knows counts as not chosen. */
function readAsked<Sort extends string, Part extends string>(
  kind: ListKind<Sort, string, Part>,
  params: URLSearchParams,
): Asked<Sort, Part> {
  return {
    q: (params.get('q') ?? '').trim(),
    sort: kind.sorts.find((sort) => sort === params.get('sort')) ?? kind.sorts[0],
    part: kind.parts.find((part) => part === params.get(kind.by)) ?? ALL,
  };
}

function wishOf<Sort extends string, By extends string, Part extends string>(
  kind: ListKind<Sort, By, Part>,
  { q, sort, part }: Asked<Sort, Part>,
) {
  return {
    ...(q ? { q } : {}),
    ...(part === ALL ? {} : { [kind.by]: part }),
    ...(sort === kind.sorts[0] ? {} : { sort }),
  } as Wish<Sort, By, Part> & Record<string, string>;
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
 * What a list of the back office shows: words, order, part and page. All of it stands in the address, so that Back, a
 * reload and a shared link keep it. Other words, another order or part begin at the first page. `kind` has to keep its
 * identity.
 */
export function useListAddress<Sort extends string, By extends string, Part extends string>(
  kind: ListKind<Sort, By, Part>,
): ListAddress<Sort, By, Part> {
  const [params, setParams] = useSearchParams();
  const { state } = useLocation();
  const asked = useMemo(() => readAsked(kind, params), [kind, params]);
  const wish = useMemo(() => wishOf(kind, asked), [kind, asked]);
  const place = readPlace(params);
  const way = wayTo(place, state);

  const change = useCallback(
    (part: Partial<Asked<Sort, Part>>, replace = false) =>
      setParams((before) => wishOf(kind, { ...readAsked(kind, before), ...part }), { replace }),
    [kind, setParams],
  );
  const turn = (cursors: readonly string[], page: number) => {
    const cursor = cursors.at(-1);
    setParams(cursor ? { ...wish, cursor, page: String(page + 1) } : wish, {
      state: { way: cursors },
    });
  };

  return {
    ...asked,
    ...place,
    wish,
    narrowed: asked.q !== '' || asked.part !== ALL,
    knowsWayBack: way !== null,
    ask: useCallback((q: string) => change({ q }, true), [change]),
    sortBy: (sort) => change({ sort }),
    pick: (part) => change({ part }),
    clear: () => change({ q: '', part: ALL }),
    forward: (cursor) => turn([...(way ?? []), cursor], place.page + 1),
    back: () => turn(way?.slice(0, -1) ?? [], place.page - 1),
  };
}
