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

/** What is paid for, and the sum that the payer was shown. */
export type Payable = { orderId: string; price: number } | { checkoutId: string; price: number };

export const { useOpenPaymentQuery, useSettlePaymentMutation, useConfirmSandboxPaymentMutation } =
  paymentApi;
