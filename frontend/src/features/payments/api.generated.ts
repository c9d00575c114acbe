/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type {
  ClientSecret,
  Confirmation,
  Confirmed,
  Hint,
  ModifiedCount,
  NewIntent,
} from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    openPayment: build.query<OpenPaymentApiResponse, OpenPaymentApiArg>({
      query: (queryArg) => ({
        url: `/create-payment-intent`,
        method: 'POST',
        body: queryArg,
      }),
    }),
    settlePayment: build.mutation<SettlePaymentApiResponse, SettlePaymentApiArg>({
      query: (queryArg) => ({
        url: `/orders/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PATCH',
        body: queryArg.hint,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    confirmSandboxPayment: build.mutation<
      ConfirmSandboxPaymentApiResponse,
      ConfirmSandboxPaymentApiArg
    >({
      query: (queryArg) => ({
        url: `/sandbox/payment-intents/confirm`,
        method: 'POST',
        body: queryArg.confirmation,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedPaymentsApi };
export type OpenPaymentApiResponse = /** status 200 Ready to be paid */ ClientSecret;
export type OpenPaymentApiArg = NewIntent;
export type SettlePaymentApiResponse =
  /** status 200 The order is paid by this payment */ ModifiedCount;
export type SettlePaymentApiArg = {
  /** The order's id */
  id: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  hint: Hint;
};
export type ConfirmSandboxPaymentApiResponse = /** status 200 Paid */ Confirmed;
export type ConfirmSandboxPaymentApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  confirmation: Confirmation;
};
