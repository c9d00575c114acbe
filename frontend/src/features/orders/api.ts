import { api } from '@/api/api';
import type { Deleted, Modified, Order, OrderEvent } from '@/api/types';

const orderPath = (id: string) => `/orders/${encodeURIComponent(id)}`;

const ordersApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Newest first. A refusal is left to the screens, which sign out and go Home (spec, section 7). */
    getMyOrders: build.query<Order[], string>({
      query: (email) => ({ url: '/orders', params: { email }, keepSession: true }),
      providesTags: ['Order'],
    }),
    getAllOrders: build.query<Order[], void>({
      query: () => '/allOrders',
      providesTags: ['Order'],
    }),
    getOrder: build.query<Order, string>({
      query: (id) => orderPath(id),
      providesTags: ['OneOrder'],
    }),
    getOrderEvents: build.query<OrderEvent[], string>({
      query: (id) => `${orderPath(id)}/events`,
      providesTags: ['Order'],
    }),
    /** Cancels one's own order, or, for an admin, anybody's. The units go back on the shelf. */
    cancelOrder: build.mutation<Deleted, string>({
      query: (id) => ({ url: orderPath(id), method: 'DELETE' }),
      // A refusal too says that the screen is old: somebody paid, shipped or cancelled meanwhile. What was cancelled
      // just now is gone, and need not be asked for.
      invalidatesTags: (_done, error) =>
        error ? ['Order', 'OneOrder', 'Product'] : ['Order', 'Product'],
    }),
    shipOrder: build.mutation<Modified, string>({
      query: (id) => ({ url: `/orders/status/${encodeURIComponent(id)}`, method: 'PUT' }),
      invalidatesTags: ['Order', 'OneOrder'],
    }),
  }),
});

export const {
  useGetMyOrdersQuery,
  useGetAllOrdersQuery,
  useGetOrderQuery,
  useGetOrderEventsQuery,
  useCancelOrderMutation,
  useShipOrderMutation,
} = ordersApi;
