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

/** Beyond this many the shop shows a page at a time. */
export const PAGE_SIZE = 48;

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
      getShop: build.infiniteQuery<Page<Product>, ShopFilter, string>({
        infiniteQueryOptions: {
          initialPageParam: '',
          getNextPageParam: (last) => last.next ?? undefined,
        },
        query: ({ queryArg, pageParam }) => ({
          url: '/products',
          params: {
            limit: PAGE_SIZE,
            ...productsArg(queryArg),
            ...(pageParam ? { cursor: pageParam } : {}),
          } satisfies GetProductsApiArg,
        }),
        transformResponse: toPage<Product>,
        providesTags: ['Product'],
      }),
    }),
  });

export const { useGetProductsQuery, useGetShopInfiniteQuery, useGetReviewsQuery } = catalogApi;

export const useGetTopDealsQuery = () => useGetProductsQuery({ limit: 4 });
