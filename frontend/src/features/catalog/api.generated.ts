/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { Category, Product, ProductSort, Review } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getProducts: build.query<GetProductsApiResponse, GetProductsApiArg>({
      query: (queryArg) => ({
        url: `/products`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          q: queryArg.q,
          category: queryArg.category,
          sort: queryArg.sort,
          inStock: queryArg.inStock,
        },
      }),
    }),
    getReviews: build.query<GetReviewsApiResponse, GetReviewsApiArg>({
      query: (queryArg) => ({
        url: `/reviews`,
        params: {
          limit: queryArg,
        },
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedCatalogApi };
export type GetProductsApiResponse = /** status 200 Products */ Product[];
export type GetProductsApiArg = {
  /** The maximum number of items, 1 to 1000; all of them if left out. */
  limit?: number;
  /** Where the previous page ended, as its `Link` says. */
  cursor?: string;
  /** Only those whose name, category or part number holds this. */
  q?: string;
  /** Only this category. */
  category?: Category;
  /** `newest` without it. */
  sort?: ProductSort;
  /** `true`: only those that can be ordered. */
  inStock?: boolean;
};
export type GetReviewsApiResponse = /** status 200 Reviews, oldest first */ Review[];
export type GetReviewsApiArg =
  | /** Only this many of the latest, 1 to 1000; all of them if left out. */ number
  | undefined;
