/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { Customer } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getCustomer: build.query<GetCustomerApiResponse, GetCustomerApiArg>({
      query: (queryArg) => ({
        url: `/user/${encodeURIComponent(String(queryArg))}`,
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedAdminCustomersApi };
export type GetCustomerApiResponse = /** status 200 The customer */ Customer;
export type GetCustomerApiArg = /** The account's e-mail */ string;
