/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { DeletedCount, Order, OrderEvent, OrderState } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getOrders: build.query<GetOrdersApiResponse, GetOrdersApiArg>({
      query: (queryArg) => ({
        url: `/orders`,
        params: {
          email: queryArg.email,
          state: queryArg.state,
        },
      }),
    }),
    getOrdersById: build.query<GetOrdersByIdApiResponse, GetOrdersByIdApiArg>({
      query: (queryArg) => ({
        url: `/orders/${encodeURIComponent(String(queryArg))}`,
      }),
    }),
    deleteOrdersById: build.mutation<DeleteOrdersByIdApiResponse, DeleteOrdersByIdApiArg>({
      query: (queryArg) => ({
        url: `/orders/${encodeURIComponent(String(queryArg))}`,
        method: 'DELETE',
      }),
    }),
    getOrdersByIdEvents: build.query<GetOrdersByIdEventsApiResponse, GetOrdersByIdEventsApiArg>({
      query: (queryArg) => ({
        url: `/orders/${encodeURIComponent(String(queryArg))}/events`,
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedOrdersApi };
export type GetOrdersApiResponse = /** status 200 Orders */ Order[];
export type GetOrdersApiArg = {
  /** The customer's e-mail; one's own if left out. */
  email?: string;
  /** `standing` without it. */
  state?: OrderState;
};
export type GetOrdersByIdApiResponse = /** status 200 The order */ Order;
export type GetOrdersByIdApiArg = /** The order's id */ string;
export type DeleteOrdersByIdApiResponse =
  /** status 200 1 if this call did it, else 0 */ DeletedCount;
export type DeleteOrdersByIdApiArg = /** The order's id */ string;
export type GetOrdersByIdEventsApiResponse = /** status 200 Who did what, and when */ OrderEvent[];
export type GetOrdersByIdEventsApiArg = /** The order's id */ string;
