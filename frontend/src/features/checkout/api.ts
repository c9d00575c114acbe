import { api } from '@/api/api';
import { orderLists } from '@/api/tags';
import type {
  CheckoutCheck,
  CheckoutRequest,
  PlacedCheckout,
  Purchase,
  PurchaseSummary,
} from './wire';

export const checkoutApi = api.enhanceEndpoints({ addTagTypes: ['Purchase'] }).injectEndpoints({
  endpoints: (build) => ({
    /** Places nothing, so that a screen may ask as it would for anything that it reads. */
    checkCheckout: build.query<CheckoutCheck, CheckoutRequest>({
      query: (body) => ({ url: '/checkouts/check', method: 'POST', body }),
      keepUnusedDataFor: 0,
    }),
    placeCheckout: build.mutation<PlacedCheckout, { body: CheckoutRequest; key: string }>({
      query: ({ body, key }) => ({
        url: '/checkouts',
        method: 'POST',
        body,
        headers: { 'Idempotency-Key': key },
      }),
      invalidatesTags: (_placed, error) => (error ? [] : ['Purchase', orderLists, 'Product']),
    }),
    listPurchases: build.query<PurchaseSummary[], string>({
      query: (email) => ({ url: '/checkouts', params: { email } }),
      providesTags: ['Purchase'],
    }),
    getPurchase: build.query<Purchase, string>({
      query: (id) => `/checkouts/${encodeURIComponent(id)}`,
      providesTags: ['Purchase'],
    }),
    cancelPurchase: build.mutation<{ deletedCount: number }, string>({
      query: (id) => ({ url: `/checkouts/${encodeURIComponent(id)}`, method: 'DELETE' }),
      // A refusal too says that the screen is old.
      invalidatesTags: ['Purchase', 'Order', 'Product'],
    }),
    settlePurchase: build.mutation<
      { modifiedCount: number },
      { id: string; transactionId: string }
    >({
      query: ({ id, transactionId }) => ({
        url: `/checkouts/${encodeURIComponent(id)}`,
        method: 'PATCH',
        body: { payment: { transactionId } },
      }),
      extraOptions: { keepSession: true },
      invalidatesTags: (_done, error) => (error ? [] : ['Purchase', 'Order']),
    }),
  }),
});

export const {
  useCheckCheckoutQuery,
  usePlaceCheckoutMutation,
  useListPurchasesQuery,
  useGetPurchaseQuery,
  useCancelPurchaseMutation,
  useSettlePurchaseMutation,
} = checkoutApi;
