/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type {
  ModifiedCount,
  NewRefund,
  Order,
  OrderCounts,
  OrderSort,
  OrderState,
} from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listAllOrders: build.query<ListAllOrdersApiResponse, ListAllOrdersApiArg>({
      query: (queryArg) => ({
        url: `/allOrders`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          q: queryArg.q,
          state: queryArg.state,
          sort: queryArg.sort,
          from: queryArg['from'],
          to: queryArg.to,
        },
      }),
    }),
    countOrders: build.query<CountOrdersApiResponse, CountOrdersApiArg>({
      query: () => ({ url: `/orderCounts` }),
    }),
    shipOrder: build.mutation<ShipOrderApiResponse, ShipOrderApiArg>({
      query: (queryArg) => ({
        url: `/orders/status/${encodeURIComponent(String(queryArg))}`,
        method: 'PUT',
      }),
    }),
    refundOrder: build.mutation<RefundOrderApiResponse, RefundOrderApiArg>({
      query: (queryArg) => ({
        url: `/orders/${encodeURIComponent(String(queryArg.id))}/refund`,
        method: 'POST',
        body: queryArg.body,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedAdminOrdersApi };
export type ListAllOrdersApiResponse = /** status 200 Orders */ Order[];
export type ListAllOrdersApiArg = {
  /** The maximum number of items, 1 to 1000; all of them if left out. */
  limit?: number;
  /** Where the previous page ended, as its `Link` says. */
  cursor?: string;
  /** Only those in which every word of this occurs: in the customer's name, e-mail or phone, the product's name or part
    number, the purchase order number, or the order's number or id. */
  q?: string;
  /** `standing` without it. */
  state?: OrderState;
  /** `newest` without it. */
  sort?: OrderSort;
  /** Only those that were placed on this day or later: a date, in UTC. */
  from?: string;
  /** Only those that were placed on this day or earlier: a date, in UTC. */
  to?: string;
};
export type CountOrdersApiResponse = /** status 200 How many there are */ OrderCounts;
export type CountOrdersApiArg = void;
export type ShipOrderApiResponse = /** status 200 1 if this call did it, else 0 */ ModifiedCount;
export type ShipOrderApiArg = /** The order's id */ string;
export type RefundOrderApiResponse = /** status 200 1 if this call did it, else 0 */ ModifiedCount;
export type RefundOrderApiArg = {
  /** The order's id */
  id: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  body: NewRefund | null;
};
