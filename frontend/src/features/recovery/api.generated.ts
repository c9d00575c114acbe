/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type {
  AddressProof,
  ForgottenPassword,
  NewPassword,
  Noted,
  PasswordOf,
  Verification,
} from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    postAuthPasswordForgot: build.mutation<
      PostAuthPasswordForgotApiResponse,
      PostAuthPasswordForgotApiArg
    >({
      query: (queryArg) => ({
        url: `/auth/password/forgot`,
        method: 'POST',
        body: queryArg.forgottenPassword,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    postAuthPasswordReset: build.mutation<
      PostAuthPasswordResetApiResponse,
      PostAuthPasswordResetApiArg
    >({
      query: (queryArg) => ({
        url: `/auth/password/reset`,
        method: 'POST',
        body: queryArg.newPassword,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    getAuthVerification: build.query<GetAuthVerificationApiResponse, GetAuthVerificationApiArg>({
      query: () => ({ url: `/auth/verification` }),
    }),
    postAuthVerification: build.mutation<
      PostAuthVerificationApiResponse,
      PostAuthVerificationApiArg
    >({
      query: () => ({ url: `/auth/verification`, method: 'POST' }),
    }),
    postAuthVerificationConfirm: build.mutation<
      PostAuthVerificationConfirmApiResponse,
      PostAuthVerificationConfirmApiArg
    >({
      query: (queryArg) => ({
        url: `/auth/verification/confirm`,
        method: 'POST',
        body: queryArg.addressProof,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedRecoveryApi };
export type PostAuthPasswordForgotApiResponse =
  /** status 202 If the address has an account, a letter is on its way */ Noted;
export type PostAuthPasswordForgotApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  forgottenPassword: ForgottenPassword;
};
export type PostAuthPasswordResetApiResponse =
  /** status 200 Done; nobody is signed in by it */ PasswordOf;
export type PostAuthPasswordResetApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newPassword: NewPassword;
};
export type GetAuthVerificationApiResponse = /** status 200 Whether it was */ Verification;
export type GetAuthVerificationApiArg = void;
export type PostAuthVerificationApiResponse = /** status 202 Noted */ Noted;
export type PostAuthVerificationApiArg = void;
export type PostAuthVerificationConfirmApiResponse = /** status 200 Confirmed */ Verification;
export type PostAuthVerificationConfirmApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  addressProof: AddressProof;
};
