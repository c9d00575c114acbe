import { api } from '@/api/api';
import { type Page, toPage } from '@/api/page';
import { orderLists } from '@/api/tags';
import type { PurchaseState } from '@/features/checkout/wire';
import { exportOf } from '../shared/export';
import type { AnyPurchase, ListedPurchase } from './wire';

interface Query {
  q?: string;
  state?: PurchaseState;
  limit?: number;
  cursor?: string;
}

const path = (id: string, more = '') => `/checkouts/${encodeURIComponent(id)}${more}`;

const purchasesApi = api.enhanceEndpoints({ addTagTypes: ['Purchase'] }).injectEndpoints({
  endpoints: (build) => ({
    listAllPurchases: build.query<Page<ListedPurchase>, Query>({
      query: (params) => ({ url: '/allCheckouts', params: { ...params } }),
      transformResponse: toPage<ListedPurchase>,
      providesTags: ['Purchase', orderLists],
    }),
    listLatestPurchasesOf: build.query<Page<ListedPurchase>, { email: string; limit: number }>({
      query: (params) => ({ url: '/checkouts', params }),
      transformResponse: toPage<ListedPurchase>,
      providesTags: ['Purchase', orderLists],
    }),
    exportPurchases: build.mutation<null, Omit<Query, 'limit' | 'cursor'>>({
      queryFn: exportOf('/allCheckouts.csv'),
    }),
    getPurchaseAsAdmin: build.query<AnyPurchase, string>({
      query: (id) => path(id),
      // What happens to an order of it changes it too.
      providesTags: ['Purchase', orderLists],
    }),
    setFreight: build.mutation<unknown, { id: string; price: number; 'Idempotency-Key'?: string }>({
      query: ({ id, price, 'Idempotency-Key': key }) => ({
        url: path(id, '/shipping'),
        method: 'PUT',
        body: { price },
        headers: { 'Idempotency-Key': key },
      }),
      // A refusal too says that the screen is old: another admin was here.
      invalidatesTags: ['Purchase'],
    }),
  }),
});

export const {
  useListAllPurchasesQuery,
  useListLatestPurchasesOfQuery,
  useExportPurchasesMutation,
  useGetPurchaseAsAdminQuery,
  useSetFreightMutation,
} = purchasesApi;
