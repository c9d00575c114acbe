import type { DefinitionsFromApi, TagTypesFromApi } from '@reduxjs/toolkit/query';
import { type Paged, toPage } from '@/api/page';
import { changedOrder, goneOrder, orderLists } from '@/api/tags';
import type { Order } from '@/api/types';
import { exportOf } from '../shared/export';
import { generatedAdminOrdersApi, type ListAllOrdersApiArg } from './api.generated';

const adminOrdersApi = generatedAdminOrdersApi
  .enhanceEndpoints<
    TagTypesFromApi<typeof generatedAdminOrdersApi>,
    Paged<DefinitionsFromApi<typeof generatedAdminOrdersApi>, 'listAllOrders', Order>
  >({
    endpoints: {
      countOrders: { providesTags: [orderLists, 'Attention'] },
      listAllOrders: { transformResponse: toPage<Order>, providesTags: [orderLists] },
      shipOrder: { invalidatesTags: (_done, _error, id) => changedOrder(id) },
      // A refusal too says that the screen is old. What was refunded whole is gone, and need not be asked for.
      refundOrder: {
        invalidatesTags: (_done, error, { id, body }) => [
          ...(error || body?.cents != null ? changedOrder(id) : goneOrder(id)),
          'Product',
        ],
      },
    },
  })
  .injectEndpoints({
    endpoints: (build) => ({
      exportOrders: build.mutation<null, Omit<ListAllOrdersApiArg, 'limit' | 'cursor'>>({
        queryFn: exportOf('/allOrders.csv'),
      }),
    }),
  });

export const {
  useCountOrdersQuery,
  useListAllOrdersQuery,
  useShipOrderMutation,
  useRefundOrderMutation,
  useExportOrdersMutation,
} = adminOrdersApi;

/** For shipping several at once, where a hook keeps only the last call. */
export const { shipOrder } = adminOrdersApi.endpoints;
