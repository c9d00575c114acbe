import { api } from '@/api/api';
import type { Product, Review } from '@/api/types';

export const sorts = ['newest', 'price', '-price', 'name'] as const;
export type Sort = (typeof sorts)[number];

/** What the shop's page can ask for; all of it stands in its address. */
export interface ShopFilter {
  q: string;
  category: string;
  sort: Sort;
  inStock: boolean;
}

export interface ProductPage {
  products: Product[];
  /** How many match in all. */
  total: number;
  /** The cursor of the next page; null on the last. */
  next: string | null;
}

/** Beyond this many the shop shows a page at a time. */
export const PAGE_SIZE = 48;

/** The cursor out of `Link: </products?...&cursor=X>; rel="next"` (RFC 8288). */
export function nextCursor(link: string | null): string | null {
  const target = link
    ?.split(/,(?=\s*<)/)
    .find((part) => /;\s*rel="?next"?/.test(part))
    ?.match(/<([^>]*)>/)?.[1];
  return target ? new URL(target, 'http://shop.invalid').searchParams.get('cursor') : null;
}

function filterParams({ q, category, sort, inStock }: ShopFilter): Record<string, string> {
  return {
    ...(q ? { q } : {}),
    ...(category ? { category } : {}),
    ...(sort === 'newest' ? {} : { sort }),
    ...(inStock ? { inStock: 'true' } : {}),
  };
}

const catalogApi = api.injectEndpoints({
  endpoints: (build) => ({
    getTopDeals: build.query<Product[], void>({
      query: () => ({ url: '/products', params: { limit: 4 } }),
      providesTags: ['Product'],
    }),
    getShop: build.infiniteQuery<ProductPage, ShopFilter, string>({
      infiniteQueryOptions: {
        initialPageParam: '',
        getNextPageParam: (last) => last.next ?? undefined,
      },
      query: ({ queryArg, pageParam }) => ({
        url: '/products',
        params: {
          limit: PAGE_SIZE,
          ...filterParams(queryArg),
          ...(pageParam ? { cursor: pageParam } : {}),
        },
      }),
      transformResponse: (products: Product[], meta) => ({
        products,
        total: Number(meta?.response?.headers.get('X-Total-Count') ?? products.length),
        next: nextCursor(meta?.response?.headers.get('Link') ?? null),
      }),
      providesTags: ['Product'],
    }),
    getReviews: build.query<Review[], void>({ query: () => '/reviews', providesTags: ['Review'] }),
  }),
});

export const { useGetTopDealsQuery, useGetShopInfiniteQuery, useGetReviewsQuery } = catalogApi;
