import type { DefinitionsFromApi, TagTypesFromApi } from '@reduxjs/toolkit/query';
import { type Paged, toPage } from '@/api/page';
import type { ImportReport, Product } from '@/api/types';
import type { ListProductsApiArg } from '@/features/catalog/api.generated';
import { exportOf } from '../shared/export';
import { generatedAdminProductsApi } from './api.generated';

/** A file of products: checked with `dryRun`, else imported; with `partial` without its bad rows. */
interface Import {
  csv: ArrayBuffer;
  dryRun?: boolean;
  partial?: boolean;
  'Idempotency-Key'?: string;
}

/** Thousands of rows may take longer than a screen is given. */
const IMPORT_TIMEOUT = 60_000;

const adminProductsApi = generatedAdminProductsApi
  .enhanceEndpoints<
    TagTypesFromApi<typeof generatedAdminProductsApi>,
    Paged<DefinitionsFromApi<typeof generatedAdminProductsApi>, 'listArchivedProducts', Product>
  >({
    endpoints: {
      addProduct: { invalidatesTags: (_added, error) => (error ? [] : ['Product']) },
      // A refusal too says that the row on the screen is old: another admin was here.
      restockProduct: { invalidatesTags: ['Product'] },
      editProduct: { invalidatesTags: ['Product'] },
      setProductImages: { invalidatesTags: ['Product'] },
      archiveProduct: { invalidatesTags: ['Product'] },
      restoreProduct: { invalidatesTags: ['Product'] },
      listArchivedProducts: { transformResponse: toPage<Product>, providesTags: ['Product'] },
      correctStock: { invalidatesTags: ['Product'] },
      getStockHistory: { providesTags: ['Product'] },
    },
  })
  .injectEndpoints({
    endpoints: (build) => ({
      importProducts: build.mutation<ImportReport, Import>({
        query: ({ csv, dryRun = false, partial = false, 'Idempotency-Key': key }) => ({
          url: '/products.csv',
          method: 'POST',
          params: { ...(dryRun ? { dryRun } : {}), ...(partial ? { partial } : {}) },
          body: csv,
          headers: { 'Content-Type': 'text/csv', 'Idempotency-Key': key },
          timeout: IMPORT_TIMEOUT,
        }),
        invalidatesTags: (report) =>
          report && report.added > 0 && !report.dryRun ? ['Product'] : [],
      }),
      exportProducts: build.mutation<null, Omit<ListProductsApiArg, 'limit' | 'cursor'>>({
        queryFn: exportOf('/products.csv'),
      }),
    }),
  });

export const {
  useAddProductMutation,
  useRestockProductMutation,
  useEditProductMutation,
  useSetProductImagesMutation,
  useArchiveProductMutation,
  useRestoreProductMutation,
  useListArchivedProductsQuery,
  useCorrectStockMutation,
  useGetStockHistoryQuery,
  useImportProductsMutation,
  useExportProductsMutation,
} = adminProductsApi;
