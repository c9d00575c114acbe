/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { ModifiedCount, NewRefund, Order, OrderSort, OrderState } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getAllOrders: build.query<GetAllOrdersApiResponse, GetAllOrdersApiArg>({
      query: (queryArg) => ({
        url: `/allOrders`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          q: queryArg.q,
          state: queryArg.state,
          sort: queryArg.sort,
        },
      }),
    }),
    putOrdersStatusById: build.mutation<PutOrdersStatusByIdApiResponse, PutOrdersStatusByIdApiArg>({
      query: (queryArg) => ({
        url: `/orders/status/${encodeURIComponent(String(queryArg))}`,
        method: 'PUT',
      }),
    }),
    postOrdersByIdRefund: build.mutation<
      PostOrdersByIdRefundApiResponse,
      PostOrdersByIdRefundApiArg
    >({
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
export type GetAllOrdersApiResponse = /** status 200 Orders */ Order[];
export type GetAllOrdersApiArg = {
  /** The maximum number of items, 1 to 1000; all of them if left out. */
  limit?: number;
  /** Where the previous page ended, as its `Link` says. */
  cursor?: string;
  /** Only those in which every word of this occurs: in the customer's name, e-mail or phone, the product's name, or
    the id. */
  q?: string;
  /** `standing` without it. */
  state?: OrderState;
  /** `newest` without it. */
  sort?: OrderSort;
};
export type PutOrdersStatusByIdApiResponse =
  /** status 200 1 if this call did it, else 0 */ ModifiedCount;
export type PutOrdersStatusByIdApiArg = /** The order's id */ string;
export type PostOrdersByIdRefundApiResponse =
  /** status 200 1 if this call did it, else 0 */ ModifiedCount;
export type PostOrdersByIdRefundApiArg = {
  /** The order's id */
  id: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  body: NewRefund | null;
};
