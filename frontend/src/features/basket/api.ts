import { api } from '@/api/api';
import type { Cart, Quote, SentLine } from './wire';

/** The most items that one call for prices takes. */
const MOST_PRICES = 500;

export interface Wanted {
  productId: string;
  quantity: number;
}

export const basketApi = api.enhanceEndpoints({ addTagTypes: ['Cart'] }).injectEndpoints({
  endpoints: (build) => ({
    getCart: build.query<Cart, void>({ query: () => '/cart', providesTags: ['Cart'] }),
    /** In place of the version that is named; the shop refuses if there is a newer one. */
    putCart: build.mutation<Cart, { version: Cart['version']; lines: SentLine[] }>({
      query: ({ version, lines }) => ({
        url: '/cart',
        method: 'PUT',
        body: { lines },
        headers: { 'If-Match': `"${version}"` },
      }),
    }),
    mergeCart: build.mutation<Cart, SentLine[]>({
      query: (lines) => ({ url: '/cart/merge', method: 'POST', body: { lines } }),
      onQueryStarted: async (_lines, { dispatch, queryFulfilled }) => {
        const done = await queryFulfilled.catch(() => null);
        if (done) dispatch(basketApi.util.upsertQueryData('getCart', undefined, done.data));
      },
    }),
    /** What quantities of parts cost whoever asks; null where there is no such part. */
    getPrices: build.mutation<(Quote | null)[], Wanted[]>({
      queryFn: async (items, _api, _options, ask) => {
        const quotes: (Quote | null)[] = [];
        for (let from = 0; from < items.length; from += MOST_PRICES) {
          const { data, error } = await ask({
            url: '/prices',
            method: 'POST',
            body: { items: items.slice(from, from + MOST_PRICES) },
          });
          if (error) return { error };
          quotes.push(...(data as { items: (Quote | null)[] }).items);
        }
        return { data: quotes };
      },
    }),
  }),
});

export const { useGetCartQuery, useMergeCartMutation, useGetPricesMutation } = basketApi;
