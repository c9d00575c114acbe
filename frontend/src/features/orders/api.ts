import { changedOrder, goneOrder, orderLists } from '@/api/tags';
import { generatedOrdersApi } from './api.generated';

const ordersApi = generatedOrdersApi.enhanceEndpoints({
  endpoints: {
    /** A refusal is left to the screens, which sign out and go Home (spec, section 7). */
    listOrders: { providesTags: [orderLists], extraOptions: { keepSession: true } },
    getOrder: { providesTags: (_order, _error, id) => [{ type: 'Order', id }] },
    listOrderEvents: { providesTags: (_events, _error, id) => [{ type: 'OrderEvents', id }] },
    cancelOrder: {
      // A refusal too says that the screen is old: somebody paid, shipped or cancelled meanwhile. What was cancelled
      // just now is gone, and need not be asked for.
      invalidatesTags: (_done, error, id) => [
        ...(error ? changedOrder(id) : goneOrder(id)),
        'Product',
      ],
    },
  },
});

export const {
  useListOrdersQuery,
  useGetOrderQuery,
  useListOrderEventsQuery,
  useCancelOrderMutation,
} = ordersApi;
