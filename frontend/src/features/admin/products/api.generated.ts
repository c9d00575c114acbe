/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { DeletedCount, InsertedId, ModifiedCount, NewProduct, Restock } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    postProducts: build.mutation<PostProductsApiResponse, PostProductsApiArg>({
      query: (queryArg) => ({
        url: `/products`,
        method: 'POST',
        body: queryArg.newProduct,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    putProductsById: build.mutation<PutProductsByIdApiResponse, PutProductsByIdApiArg>({
      query: (queryArg) => ({
        url: `/products/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PUT',
        body: queryArg.restock,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    deleteProductsById: build.mutation<DeleteProductsByIdApiResponse, DeleteProductsByIdApiArg>({
      query: (queryArg) => ({
        url: `/products/${encodeURIComponent(String(queryArg))}`,
        method: 'DELETE',
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedAdminProductsApi };
export type PostProductsApiResponse = /** status 201 Added */ InsertedId;
export type PostProductsApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newProduct: NewProduct;
};
export type PutProductsByIdApiResponse = /** status 200 Restocked */ ModifiedCount;
export type PutProductsByIdApiArg = {
  /** The product's id */
  id: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  restock: Restock;
};
export type DeleteProductsByIdApiResponse =
  /** status 200 1 if this call did it, else 0 */ DeletedCount;
export type DeleteProductsByIdApiArg = /** The product's id */ string;
