import type { DefinitionsFromApi, TagTypesFromApi } from '@reduxjs/toolkit/query';
import { type Paged, toPage } from '@/api/page';
import { changedOrder, goneOrder, orderLists } from '@/api/tags';
import type { Order } from '@/api/types';
import { exportOf } from '../shared/export';
import { type GetAllOrdersApiArg, generatedAdminOrdersApi } from './api.generated';

const adminOrdersApi = generatedAdminOrdersApi
  .enhanceEndpoints<
    TagTypesFromApi<typeof generatedAdminOrdersApi>,
    Paged<DefinitionsFromApi<typeof generatedAdminOrdersApi>, 'getAllOrders', Order>
  >({
    endpoints: {
      getAllOrders: { transformResponse: toPage<Order>, providesTags: [orderLists] },
      putOrdersStatusById: { invalidatesTags: (_done, _error, id) => changedOrder(id) },
      // A refusal too says that the screen is old. What was refunded just now is gone, and need not be asked for.
      postOrdersByIdRefund: {
        invalidatesTags: (_done, error, { id }) => [
          ...(error ? changedOrder(id) : goneOrder(id)),
          'Product',
        ],
      },
    },
  })
  .injectEndpoints({
    endpoints: (build) => ({
      exportOrders: build.mutation<null, Omit<GetAllOrdersApiArg, 'limit' | 'cursor'>>({
        queryFn: exportOf('/allOrders.csv'),
      }),
    }),
  });

export const {
  useGetAllOrdersQuery,
  usePutOrdersStatusByIdMutation: useShipOrderMutation,
  usePostOrdersByIdRefundMutation: useRefundOrderMutation,
  useExportOrdersMutation,
} = adminOrdersApi;
