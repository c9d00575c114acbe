/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { InsertedId, NewReturn, OrderReturn } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listOrderReturns: build.query<ListOrderReturnsApiResponse, ListOrderReturnsApiArg>({
      query: (queryArg) => ({
        url: `/orders/${encodeURIComponent(String(queryArg))}/returns`,
      }),
    }),
    requestReturn: build.mutation<RequestReturnApiResponse, RequestReturnApiArg>({
      query: (queryArg) => ({
        url: `/orders/${encodeURIComponent(String(queryArg.id))}/returns`,
        method: 'POST',
        body: queryArg.newReturn,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedReturnsApi };
export type ListOrderReturnsApiResponse = /** status 200 Returns */ OrderReturn[];
export type ListOrderReturnsApiArg = /** The order's id */ string;
export type RequestReturnApiResponse = /** status 201 Requested */ InsertedId;
export type RequestReturnApiArg = {
  /** The order's id */
  id: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newReturn: NewReturn;
};
