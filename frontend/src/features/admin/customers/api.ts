import { orderLists } from '@/api/tags';
import type { BookAddress } from '@/features/addresses/wire';
import { generatedAdminCustomersApi } from './api.generated';

export const { useGetCustomerQuery, useListAddressesOfQuery } = generatedAdminCustomersApi
  .enhanceEndpoints({
    endpoints: { getCustomer: { providesTags: ['Account', orderLists] } },
  })
  .injectEndpoints({
    endpoints: (build) => ({
      listAddressesOf: build.query<BookAddress[], string>({
        query: (email) => `/user/${encodeURIComponent(email)}/addresses`,
      }),
    }),
  });
