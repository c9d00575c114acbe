import type { DefinitionsFromApi, TagTypesFromApi } from '@reduxjs/toolkit/query';
import { type Page, type Paged, toPage } from '@/api/page';
import type { Category, Product, ProductSort } from '@/api/types';
import { type GetProductsApiArg, generatedCatalogApi } from './api.generated';

/** What the shop's page can ask for; all of it stands in its address. */
export interface ShopFilter {
  q: string;
  category: Category | '';
  sort: ProductSort;
  inStock: boolean;
}

/** How many products the shop's page brings along, how many follow by themselves, and how many for the asking after that. */
const PARTS = [12, 36, 48] as const;

interface Part {
  cursor?: string;
  limit: number;
}

/** The question to the shop for a filter: only what differs from the plain shop. */
export function productsArg({ q, category, sort, inStock }: ShopFilter): GetProductsApiArg {
  return {
    ...(q ? { q } : {}),
    ...(category ? { category } : {}),
    ...(sort === 'newest' ? {} : { sort }),
    ...(inStock ? { inStock } : {}),
  };
}

const catalogApi = generatedCatalogApi
  .enhanceEndpoints<
    TagTypesFromApi<typeof generatedCatalogApi>,
    Paged<DefinitionsFromApi<typeof generatedCatalogApi>, 'getProducts', Product>
  >({
    endpoints: {
      getProducts: { transformResponse: toPage<Product>, providesTags: ['Product'] },
      getReviews: { providesTags: ['Review'] },
    },
  })
  .injectEndpoints({
    endpoints: (build) => ({
      /** `getProducts` page after page, which the generator knows nothing of. */
      getShop: build.infiniteQuery<Page<Product>, ShopFilter, Part>({
        infiniteQueryOptions: {
          initialPageParam: { limit: PARTS[0] },
          getNextPageParam: ({ next }, { length }) =>
            next ? { cursor: next, limit: PARTS[length] ?? PARTS[2] } : undefined,
        },
        query: ({ queryArg, pageParam }) => ({
          url: '/products',
          params: {
            limit: pageParam.limit,
            ...productsArg(queryArg),
            ...(pageParam.cursor ? { cursor: pageParam.cursor } : {}),
          } satisfies GetProductsApiArg,
        }),
        transformResponse: toPage<Product>,
        providesTags: ['Product'],
      }),
    }),
  });

export const { useGetProductsQuery, useGetShopInfiniteQuery, useGetReviewsQuery } = catalogApi;

/* Each is asked for in two places, and in the page's own words (src/prerender.tsx). */
export const useGetTopDealsQuery = () => useGetProductsQuery({ limit: 4 });
export const useGetLatestReviewsQuery = () => useGetReviewsQuery(3);
