/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { ModifiedCount, Order } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getAllOrders: build.query<GetAllOrdersApiResponse, GetAllOrdersApiArg>({
      query: () => ({ url: `/allOrders` }),
    }),
    putOrdersStatusById: build.mutation<PutOrdersStatusByIdApiResponse, PutOrdersStatusByIdApiArg>({
      query: (queryArg) => ({
        url: `/orders/status/${encodeURIComponent(String(queryArg))}`,
        method: 'PUT',
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedAdminOrdersApi };
export type GetAllOrdersApiResponse = /** status 200 Orders that stand */ Order[];
export type GetAllOrdersApiArg = void;
export type PutOrdersStatusByIdApiResponse =
  /** status 200 1 if this call did it, else 0 */ ModifiedCount;
export type PutOrdersStatusByIdApiArg = /** The order's id */ string;
