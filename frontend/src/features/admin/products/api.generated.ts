/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type {
  Category,
  CorrectedStock,
  DeletedCount,
  EditedProduct,
  FitChoice,
  InsertedId,
  ModifiedCount,
  NewImages,
  NewProduct,
  NewStockCorrection,
  Product,
  ProductSort,
  Restock,
  StockEvent,
} from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listArchivedProducts: build.query<ListArchivedProductsApiResponse, ListArchivedProductsApiArg>({
      query: (queryArg) => ({
        url: `/archivedProducts`,
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
    addProduct: build.mutation<AddProductApiResponse, AddProductApiArg>({
      query: (queryArg) => ({
        url: `/products`,
        method: 'POST',
        body: queryArg.newProduct,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    restockProduct: build.mutation<RestockProductApiResponse, RestockProductApiArg>({
      query: (queryArg) => ({
        url: `/products/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PUT',
        body: queryArg.restock,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    archiveProduct: build.mutation<ArchiveProductApiResponse, ArchiveProductApiArg>({
      query: (queryArg) => ({
        url: `/products/${encodeURIComponent(String(queryArg))}`,
        method: 'DELETE',
      }),
    }),
    editProduct: build.mutation<EditProductApiResponse, EditProductApiArg>({
      query: (queryArg) => ({
        url: `/products/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PATCH',
        body: queryArg.editedProduct,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    setProductImages: build.mutation<SetProductImagesApiResponse, SetProductImagesApiArg>({
      query: (queryArg) => ({
        url: `/products/${encodeURIComponent(String(queryArg.id))}/images`,
        method: 'PUT',
        body: queryArg.newImages,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    restoreProduct: build.mutation<RestoreProductApiResponse, RestoreProductApiArg>({
      query: (queryArg) => ({
        url: `/products/${encodeURIComponent(String(queryArg))}/restore`,
        method: 'POST',
      }),
    }),
    correctStock: build.mutation<CorrectStockApiResponse, CorrectStockApiArg>({
      query: (queryArg) => ({
        url: `/products/${encodeURIComponent(String(queryArg.id))}/stock-corrections`,
        method: 'POST',
        body: queryArg.newStockCorrection,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    getStockHistory: build.query<GetStockHistoryApiResponse, GetStockHistoryApiArg>({
      query: (queryArg) => ({
        url: `/products/${encodeURIComponent(String(queryArg))}/stock-history`,
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedAdminProductsApi };
export type ListArchivedProductsApiResponse = /** status 200 Archived products */ Product[];
export type ListArchivedProductsApiArg = {
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
export type AddProductApiResponse = /** status 201 Added */ InsertedId;
export type AddProductApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newProduct: NewProduct;
};
export type RestockProductApiResponse = /** status 200 Restocked */ ModifiedCount;
export type RestockProductApiArg = {
  /** The product's id */
  id: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  restock: Restock;
};
export type ArchiveProductApiResponse =
  /** status 200 1 if this call did it, else 0 */ DeletedCount;
export type ArchiveProductApiArg = /** The product's id */ string;
export type EditProductApiResponse =
  /** status 200 1 if this call changed something, else 0 */ ModifiedCount;
export type EditProductApiArg = {
  /** The product's id */
  id: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  editedProduct: EditedProduct;
};
export type SetProductImagesApiResponse =
  /** status 200 1 if this call changed something, else 0 */ ModifiedCount;
export type SetProductImagesApiArg = {
  /** The product's id */
  id: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newImages: NewImages;
};
export type RestoreProductApiResponse =
  /** status 200 1 if this call did it, else 0 */ ModifiedCount;
export type RestoreProductApiArg = /** The product's id */ string;
export type CorrectStockApiResponse = /** status 201 Corrected */ CorrectedStock;
export type CorrectStockApiArg = {
  /** The product's id */
  id: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newStockCorrection: NewStockCorrection;
};
export type GetStockHistoryApiResponse = /** status 200 Who did what, and when */ StockEvent[];
export type GetStockHistoryApiArg = /** The product's id */ string;
