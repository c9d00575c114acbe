import { changedOrder } from '@/api/tags';
import { generatedPaymentsApi } from './api.generated';

const paymentApi = generatedPaymentsApi.enhanceEndpoints({
  endpoints: {
    openPayment: { keepUnusedDataFor: 0 },
    /** A hint to the shop, which asks the provider itself. It must not cost a payer the page that says 'paid'. */
    settlePayment: {
      extraOptions: { keepSession: true },
      invalidatesTags: (_done, error, { id }) => (error ? [] : changedOrder(id)),
    },
  },
});

export const { useOpenPaymentQuery, useSettlePaymentMutation, useConfirmSandboxPaymentMutation } =
  paymentApi;
