import { api } from '@/api/api';
import type { ListAccounts, ListPrice, ListPrices, NewPriceList, PriceList, Tiers } from './wire';

type Id = PriceList['_id'];

const LISTS = '/price-lists';
const path = (id: Id, more = '') => `${LISTS}/${encodeURIComponent(id)}${more}`;

const pricesApi = api.enhanceEndpoints({ addTagTypes: ['PriceList', 'Prices'] }).injectEndpoints({
  endpoints: (build) => ({
    setTiers: build.mutation<Tiers, { id: string; 'Idempotency-Key'?: string } & Tiers>({
      query: ({ id, tiers, 'Idempotency-Key': key }) => ({
        url: `/products/${encodeURIComponent(id)}/tiers`,
        method: 'PUT',
        body: { tiers },
        headers: { 'Idempotency-Key': key },
      }),
      invalidatesTags: ['Product', 'Prices'],
    }),
    listPriceLists: build.query<PriceList[], void>({
      query: () => LISTS,
      providesTags: ['PriceList'],
    }),
    savePriceList: build.mutation<
      { insertedId?: Id },
      { id?: Id; list: NewPriceList; 'Idempotency-Key'?: string }
    >({
      query: ({ id, list, 'Idempotency-Key': key }) => ({
        url: id === undefined ? LISTS : path(id),
        method: id === undefined ? 'POST' : 'PUT',
        body: list,
        headers: { 'Idempotency-Key': key },
      }),
      invalidatesTags: ['PriceList', 'Prices'],
    }),
    removePriceList: build.mutation<unknown, Id>({
      query: (id) => ({ url: path(id), method: 'DELETE' }),
      invalidatesTags: ['PriceList', 'Prices'],
    }),
    getListPrices: build.query<ListPrices, Id>({
      query: (id) => path(id, '/prices'),
      providesTags: ['PriceList'],
    }),
    setListPrices: build.mutation<unknown, { id: Id; items: readonly ListPrice[] }>({
      query: ({ id, items }) => ({
        url: path(id, '/prices'),
        method: 'PUT',
        body: { items: items.map(({ productId, from, price }) => ({ productId, from, price })) },
      }),
      invalidatesTags: ['PriceList', 'Prices'],
    }),
    getListAccounts: build.query<ListAccounts, Id>({
      query: (id) => path(id, '/accounts'),
      providesTags: ['PriceList'],
    }),
    setListAccounts: build.mutation<unknown, { id: Id } & ListAccounts>({
      query: ({ id, emails }) => ({
        url: path(id, '/accounts'),
        method: 'PUT',
        body: { emails },
      }),
      invalidatesTags: ['PriceList', 'Prices'],
    }),
  }),
});

/** For who has several lists, where a hook would be of one. */
export const { getListAccounts, setListAccounts } = pricesApi.endpoints;

export const {
  useSetTiersMutation,
  useListPriceListsQuery,
  useSavePriceListMutation,
  useRemovePriceListMutation,
  useGetListPricesQuery,
  useSetListPricesMutation,
  useGetListAccountsQuery,
  useSetListAccountsMutation,
} = pricesApi;
