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
    postCreatePaymentIntent: build.query<
      PostCreatePaymentIntentApiResponse,
      PostCreatePaymentIntentApiArg
    >({
      query: (queryArg) => ({
        url: `/create-payment-intent`,
        method: 'POST',
        body: queryArg,
      }),
    }),
    patchOrdersById: build.mutation<PatchOrdersByIdApiResponse, PatchOrdersByIdApiArg>({
      query: (queryArg) => ({
        url: `/orders/${encodeURIComponent(String(queryArg.id))}`,
        method: 'PATCH',
        body: queryArg.hint,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    postSandboxPaymentIntentsConfirm: build.mutation<
      PostSandboxPaymentIntentsConfirmApiResponse,
      PostSandboxPaymentIntentsConfirmApiArg
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
export type PostCreatePaymentIntentApiResponse = /** status 200 Ready to be paid */ ClientSecret;
export type PostCreatePaymentIntentApiArg = NewIntent;
export type PatchOrdersByIdApiResponse =
  /** status 200 The order is paid by this payment */ ModifiedCount;
export type PatchOrdersByIdApiArg = {
  /** The order's id */
  id: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  hint: Hint;
};
export type PostSandboxPaymentIntentsConfirmApiResponse = /** status 200 Paid */ Confirmed;
export type PostSandboxPaymentIntentsConfirmApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  confirmation: Confirmation;
};
