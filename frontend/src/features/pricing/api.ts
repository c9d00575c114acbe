import { api } from '@/api/api';
import type { FoundPrices, WantedPrice } from './wire';

const pricingApi = api.enhanceEndpoints({ addTagTypes: ['Prices'] }).injectEndpoints({
  endpoints: (build) => ({
    /** By the account as well, so that no other one is ever shown the answer. */
    findPrices: build.query<FoundPrices, { email: string; items: readonly WantedPrice[] }>({
      query: ({ items }) => ({ url: '/prices', method: 'POST', body: { items } }),
      providesTags: ['Prices'],
    }),
  }),
});

export const { useFindPricesQuery } = pricingApi;

/** What was found of prices is old: the shop has named another one. */
export const pricesAreOld = () => pricingApi.util.invalidateTags(['Prices']);
