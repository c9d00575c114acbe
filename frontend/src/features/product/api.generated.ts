/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { InsertedId, NewOrder, Product } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    postOrders: build.mutation<PostOrdersApiResponse, PostOrdersApiArg>({
      query: (queryArg) => ({
        url: `/orders`,
        method: 'POST',
        body: queryArg.newOrder,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    getProductsById: build.query<GetProductsByIdApiResponse, GetProductsByIdApiArg>({
      query: (queryArg) => ({
        url: `/products/${encodeURIComponent(String(queryArg))}`,
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedProductApi };
export type PostOrdersApiResponse = /** status 201 Placed */ InsertedId;
export type PostOrdersApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newOrder: NewOrder;
};
export type GetProductsByIdApiResponse = /** status 200 The product */ Product;
export type GetProductsByIdApiArg = /** The product's id */ string;
