/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { DeletedCount, Order, OrderEvent, OrderState } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listOrders: build.query<ListOrdersApiResponse, ListOrdersApiArg>({
      query: (queryArg) => ({
        url: `/orders`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          email: queryArg.email,
          q: queryArg.q,
          state: queryArg.state,
        },
      }),
    }),
    getOrder: build.query<GetOrderApiResponse, GetOrderApiArg>({
      query: (queryArg) => ({
        url: `/orders/${encodeURIComponent(String(queryArg))}`,
      }),
    }),
    cancelOrder: build.mutation<CancelOrderApiResponse, CancelOrderApiArg>({
      query: (queryArg) => ({
        url: `/orders/${encodeURIComponent(String(queryArg))}`,
        method: 'DELETE',
      }),
    }),
    listOrderEvents: build.query<ListOrderEventsApiResponse, ListOrderEventsApiArg>({
      query: (queryArg) => ({
        url: `/orders/${encodeURIComponent(String(queryArg))}/events`,
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedOrdersApi };
export type ListOrdersApiResponse = /** status 200 Orders */ Order[];
export type ListOrdersApiArg = {
  /** The maximum number of items, 1 to 1000; all of them if left out. */
  limit?: number;
  /** Where the previous page ended, as its `Link` says. */
  cursor?: string;
  /** The customer's e-mail; one's own if left out. */
  email?: string;
  /** Only those in which every word of this occurs: in the product's name or part number, the purchase order number, the
    order's number or id, or the contact. */
  q?: string;
  /** `standing` without it. */
  state?: OrderState;
};
export type GetOrderApiResponse = /** status 200 The order */ Order;
export type GetOrderApiArg = /** The order's id */ string;
export type CancelOrderApiResponse = /** status 200 1 if this call did it, else 0 */ DeletedCount;
export type CancelOrderApiArg = /** The order's id */ string;
export type ListOrderEventsApiResponse = /** status 200 Who did what, and when */ OrderEvent[];
export type ListOrderEventsApiArg = /** The order's id */ string;
