import { api } from '@/api/api';
import type { BookAddress, Country, NewBookAddress } from './wire';

/** For how many seconds the countries are kept that nobody looks at: they hardly ever change. */
const LASTING = 3_600;

/** An entry as it is sent, new without an id. */
interface SentAddress {
  id?: string;
  address: NewBookAddress;
  'Idempotency-Key'?: string;
}

const path = (id: string) => `/addresses/${encodeURIComponent(id)}`;

const addressesApi = api.enhanceEndpoints({ addTagTypes: ['Address'] }).injectEndpoints({
  endpoints: (build) => ({
    listCountries: build.query<Country[], void>({
      query: () => '/countries',
      keepUnusedDataFor: LASTING,
    }),
    listAddresses: build.query<BookAddress[], void>({
      query: () => '/addresses',
      providesTags: ['Address'],
    }),
    saveAddress: build.mutation<unknown, SentAddress>({
      query: ({ id, address, 'Idempotency-Key': key }) => ({
        url: id === undefined ? '/addresses' : path(id),
        method: id === undefined ? 'POST' : 'PUT',
        body: address,
        headers: { 'Idempotency-Key': key },
      }),
      invalidatesTags: ['Address'],
    }),
    removeAddress: build.mutation<unknown, string>({
      query: (id) => ({ url: path(id), method: 'DELETE' }),
      invalidatesTags: ['Address'],
    }),
  }),
});

export const {
  useListCountriesQuery,
  useListAddressesQuery,
  useSaveAddressMutation,
  useRemoveAddressMutation,
} = addressesApi;
