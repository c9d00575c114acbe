import { generatedOrdersApi } from './api.generated';

const ordersApi = generatedOrdersApi.enhanceEndpoints({
  endpoints: {
    /** A refusal is left to the screens, which sign out and go Home (spec, section 7). */
    getOrders: { providesTags: ['Order'], extraOptions: { keepSession: true } },
    getOrdersById: { providesTags: ['OneOrder'] },
    getOrdersByIdEvents: { providesTags: ['Order'] },
    deleteOrdersById: {
      // A refusal too says that the screen is old: somebody paid, shipped or cancelled meanwhile. What was cancelled
      // just now is gone, and need not be asked for.
      invalidatesTags: (_done, error) =>
        error ? ['Order', 'OneOrder', 'Product'] : ['Order', 'Product'],
    },
  },
});

export const {
  useGetOrdersQuery: useGetMyOrdersQuery,
  useGetOrdersByIdQuery: useGetOrderQuery,
  useGetOrdersByIdEventsQuery: useGetOrderEventsQuery,
  useDeleteOrdersByIdMutation: useCancelOrderMutation,
} = ordersApi;
