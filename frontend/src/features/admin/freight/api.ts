import { api } from '@/api/api';
import type { NewShippingMethod, ShippingMethod, UnweighedProduct } from './wire';

type Id = ShippingMethod['_id'];

const METHODS = '/shipping-methods';
const path = (id: Id) => `${METHODS}/${encodeURIComponent(id)}`;

const freightApi = api.enhanceEndpoints({ addTagTypes: ['ShippingMethod'] }).injectEndpoints({
  endpoints: (build) => ({
    listShippingMethods: build.query<ShippingMethod[], void>({
      query: () => METHODS,
      providesTags: ['ShippingMethod'],
    }),
    listUnweighed: build.query<UnweighedProduct[], void>({
      query: () => `${METHODS}/unweighed`,
      providesTags: ['Product'],
    }),
    saveShippingMethod: build.mutation<
      unknown,
      { id?: Id; method: NewShippingMethod; 'Idempotency-Key'?: string }
    >({
      query: ({ id, method, 'Idempotency-Key': key }) => ({
        url: id === undefined ? METHODS : path(id),
        method: id === undefined ? 'POST' : 'PUT',
        body: method,
        headers: { 'Idempotency-Key': key },
      }),
      invalidatesTags: ['ShippingMethod'],
    }),
    removeShippingMethod: build.mutation<unknown, Id>({
      query: (id) => ({ url: path(id), method: 'DELETE' }),
      invalidatesTags: ['ShippingMethod'],
    }),
  }),
});

export const {
  useListShippingMethodsQuery,
  useListUnweighedQuery,
  useSaveShippingMethodMutation,
  useRemoveShippingMethodMutation,
} = freightApi;
