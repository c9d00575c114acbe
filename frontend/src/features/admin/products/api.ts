import { api } from '@/api/api';
import type { Deleted, Inserted, Modified, NewProduct, Product, Restock } from '@/api/types';
import { nextCursor, type ProductPage, type Sort } from '@/features/catalog/api';

/** Rows of one page of Manage Products. */
export const PAGE_SIZE = 20;

export interface Shelf {
  q: string;
  sort: Sort;
  /** Where the page before ended; empty for the first. */
  cursor: string;
}

const adminProductsApi = api.injectEndpoints({
  endpoints: (build) => ({
    getShelf: build.query<ProductPage, Shelf>({
      query: ({ q, sort, cursor }) => ({
        url: '/products',
        params: { limit: PAGE_SIZE, sort, ...(q ? { q } : {}), ...(cursor ? { cursor } : {}) },
      }),
      transformResponse: (products: Product[], meta) => ({
        products,
        total: Number(meta?.response?.headers.get('X-Total-Count') ?? products.length),
        next: nextCursor(meta?.response?.headers.get('Link') ?? null),
      }),
      providesTags: ['Product'],
    }),
    addProduct: build.mutation<Inserted, { product: NewProduct; key: string }>({
      query: ({ product, key }) => ({
        url: '/products',
        method: 'POST',
        body: product,
        idempotencyKey: key,
      }),
      invalidatesTags: (_added, error) => (error ? [] : ['Product']),
    }),
    restockProduct: build.mutation<Modified, { id: string; restock: Restock; key: string }>({
      query: ({ id, restock, key }) => ({
        url: `/products/${encodeURIComponent(id)}`,
        method: 'PUT',
        body: restock,
        idempotencyKey: key,
      }),
      // A refusal too says that the row on the screen is old: another admin was here.
      invalidatesTags: ['Product'],
    }),
    deleteProduct: build.mutation<Deleted, string>({
      query: (id) => ({ url: `/products/${encodeURIComponent(id)}`, method: 'DELETE' }),
      invalidatesTags: ['Product'],
    }),
  }),
});

export const {
  useGetShelfQuery,
  useAddProductMutation,
  useRestockProductMutation,
  useDeleteProductMutation,
} = adminProductsApi;
