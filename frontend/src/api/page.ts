import type {
  EndpointDefinitions,
  FetchBaseQueryMeta,
  OverrideResultType,
} from '@reduxjs/toolkit/query';

/** One page of a list that the shop hands out in pages, with what it says in the headers. */
export interface Page<Item> {
  items: Item[];
  /** How many match in all. */
  total: number;
  /** The cursor of the next page; null on the last. */
  next: string | null;
}

/** The cursor out of `Link: </products?...&cursor=X>; rel="next"` (RFC 8288). */
export function nextCursor(link: string | null): string | null {
  const target = link
    ?.split(/,(?=\s*<)/)
    .find((part) => /;\s*rel="?next"?/.test(part))
    ?.match(/<([^>]*)>/)?.[1];
  return target ? new URL(target, 'http://shop.invalid').searchParams.get('cursor') : null;
}

/** A `transformResponse` for lists with `X-Total-Count` and `Link`. */
export function toPage<Item>(items: Item[], meta: FetchBaseQueryMeta | undefined): Page<Item> {
  const headers = meta?.response?.headers;
  return {
    items,
    total: Number(headers?.get('X-Total-Count') ?? items.length),
    next: nextCursor(headers?.get('Link') ?? null),
  };
}

/** The definitions of generated endpoints, with the list `Name` answering a `Page` as `toPage` makes it. */
export type Paged<Generated extends EndpointDefinitions, Name extends keyof Generated, Item> = Omit<
  Generated,
  Name
> & { [List in Name]: OverrideResultType<Generated[List], Page<Item>> };
