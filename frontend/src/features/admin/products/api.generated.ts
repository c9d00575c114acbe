/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type {
  CorrectedStock,
  DeletedCount,
  InsertedId,
  ModifiedCount,
  NewProduct,
  NewStockCorrection,
  Restock,
  StockEvent,
} from '@/api/types';

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
    postProductsByIdStockCorrections: build.mutation<
      PostProductsByIdStockCorrectionsApiResponse,
      PostProductsByIdStockCorrectionsApiArg
    >({
      query: (queryArg) => ({
        url: `/products/${encodeURIComponent(String(queryArg.id))}/stock-corrections`,
        method: 'POST',
        body: queryArg.newStockCorrection,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    getProductsByIdStockHistory: build.query<
      GetProductsByIdStockHistoryApiResponse,
      GetProductsByIdStockHistoryApiArg
    >({
      query: (queryArg) => ({
        url: `/products/${encodeURIComponent(String(queryArg))}/stock-history`,
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
export type PostProductsByIdStockCorrectionsApiResponse =
  /** status 201 Corrected */ CorrectedStock;
export type PostProductsByIdStockCorrectionsApiArg = {
  /** The product's id */
  id: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newStockCorrection: NewStockCorrection;
};
export type GetProductsByIdStockHistoryApiResponse =
  /** status 200 Who did what, and when */ StockEvent[];
export type GetProductsByIdStockHistoryApiArg = /** The product's id */ string;
