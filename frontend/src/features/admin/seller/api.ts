import { api } from '@/api/api';
import type { Seller } from './wire';

const sellerApi = api.enhanceEndpoints({ addTagTypes: ['Seller'] }).injectEndpoints({
  endpoints: (build) => ({
    getSeller: build.query<Seller | null, void>({
      query: () => '/seller',
      providesTags: ['Seller'],
    }),
    setSeller: build.mutation<unknown, { seller: Seller; 'Idempotency-Key'?: string }>({
      query: ({ seller, 'Idempotency-Key': key }) => ({
        url: '/seller',
        method: 'PUT',
        body: seller,
        headers: { 'Idempotency-Key': key },
      }),
      invalidatesTags: ['Seller'],
    }),
  }),
});

export const { useGetSellerQuery, useSetSellerMutation } = sellerApi;
