/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type {
  Category,
  FitChoice,
  InsertedId,
  NewOrder,
  PartReviews,
  Product,
  ProductSort,
  Review,
} from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    placeOrder: build.mutation<PlaceOrderApiResponse, PlaceOrderApiArg>({
      query: (queryArg) => ({
        url: `/orders`,
        method: 'POST',
        body: queryArg.newOrder,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    listProducts: build.query<ListProductsApiResponse, ListProductsApiArg>({
      query: (queryArg) => ({
        url: `/products`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          q: queryArg.q,
          number: queryArg['number'],
          minPrice: queryArg.minPrice,
          maxPrice: queryArg.maxPrice,
          category: queryArg.category,
          vehicle: queryArg.vehicle,
          engine: queryArg.engine,
          fit: queryArg.fit,
          sort: queryArg.sort,
          inStock: queryArg.inStock,
        },
      }),
    }),
    getProduct: build.query<GetProductApiResponse, GetProductApiArg>({
      query: (queryArg) => ({
        url: `/products/${encodeURIComponent(String(queryArg))}`,
      }),
    }),
    listReviewsOfProduct: build.query<ListReviewsOfProductApiResponse, ListReviewsOfProductApiArg>({
      query: (queryArg) => ({
        url: `/products/${encodeURIComponent(String(queryArg.id))}/reviews`,
        params: {
          limit: queryArg.limit,
        },
      }),
    }),
    listReviews: build.query<ListReviewsApiResponse, ListReviewsApiArg>({
      query: (queryArg) => ({
        url: `/reviews`,
        params: {
          limit: queryArg.limit,
          productId: queryArg.productId,
        },
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedCatalogApi };
export type PlaceOrderApiResponse = /** status 201 Placed */ InsertedId;
export type PlaceOrderApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newOrder: NewOrder;
};
export type ListProductsApiResponse = /** status 200 Products */ Product[];
export type ListProductsApiArg = {
  /** The maximum number of items, 1 to 1000; all of them if left out. */
  limit?: number;
  /** Where the previous page ended, as its `Link` says. */
  cursor?: string;
  /** Only those with one of these numbers, or with all of these words in name, brand, part type, category or numbers:
    any part of them from three signs on, their beginning below that. */
  q?: string;
  /** Only those with this part number, or if there is none, one like it. */
  number?: string;
  /** Dollars: only from this unit price on. */
  minPrice?: number;
  /** Dollars: only up to this unit price. */
  maxPrice?: number;
  /** Only this category. */
  category?: Category;
  /** Only parts for this vehicle, by its id. */
  vehicle?: number;
  /** The vehicle's engine, by its id. */
  engine?: number;
  /** How well parts have to fit the vehicle: `if` without it, which are those that fit, and after them those that fit under
    a condition or with some engines; `yes` for the first of them alone, `all` for also those of which it is not known. */
  fit?: FitChoice;
  /** `newest` without it. */
  sort?: ProductSort;
  /** `true`: only those that can be ordered. */
  inStock?: boolean;
};
export type GetProductApiResponse =
  /** status 200 The product; with a bearer also `yourPrice`, and for no cache */ Product;
export type GetProductApiArg = /** The product's id */ string;
export type ListReviewsOfProductApiResponse =
  /** status 200 The average of all its reviews, and the latest */ PartReviews;
export type ListReviewsOfProductApiArg = {
  /** The product's id */
  id: string;
  /** Only this many of the latest, 1 to 1000; at most 1000 if left out. */
  limit?: number;
};
export type ListReviewsApiResponse = /** status 200 Reviews, oldest first */ Review[];
export type ListReviewsApiArg = {
  /** Only this many of the latest, 1 to 1000; all of them if left out. */
  limit?: number;
  /** Only those of this product, and at most the latest 1000. */
  productId?: string;
};
