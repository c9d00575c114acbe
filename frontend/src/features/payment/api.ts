import { api } from '@/api/api';
import type { Modified, Payment, PaymentIntentRequest, SandboxConfirmation } from '@/api/types';

const paymentApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** A query, though it is a POST: an order has one open intent, and asking again answers the same one. */
    getPaymentSecret: build.query<string, Required<PaymentIntentRequest>>({
      query: (body) => ({ url: '/create-payment-intent', method: 'POST', body }),
      transformResponse: (answer: { clientSecret: string }) => answer.clientSecret,
      keepUnusedDataFor: 0,
    }),
    /** A hint to the shop, which asks the provider itself. It must not cost a payer the page that says 'paid'. */
    recordPayment: build.mutation<Modified, Payment>({
      query: (payment) => ({
        url: `/orders/${encodeURIComponent(payment.product)}`,
        method: 'PATCH',
        body: { payment },
        keepSession: true,
      }),
      invalidatesTags: (_done, error) => (error ? [] : ['Order', 'OneOrder']),
    }),
    confirmSandbox: build.mutation<
      { id: string; status: string },
      { confirmation: SandboxConfirmation; key: string }
    >({
      query: ({ confirmation, key }) => ({
        url: '/sandbox/payment-intents/confirm',
        method: 'POST',
        body: confirmation,
        idempotencyKey: key,
      }),
    }),
  }),
});

export const { useGetPaymentSecretQuery, useRecordPaymentMutation, useConfirmSandboxMutation } =
  paymentApi;
