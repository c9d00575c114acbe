/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type {
  AddressProof,
  DeletedCount,
  Finished,
  ForgottenPassword,
  NewPassword,
  Noted,
  OwnAddressProof,
  PasswordOf,
  Verification,
} from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    postAuthGoogleFinish: build.mutation<
      PostAuthGoogleFinishApiResponse,
      PostAuthGoogleFinishApiArg
    >({
      query: (queryArg) => ({
        url: `/auth/google/finish`,
        method: 'POST',
        body: queryArg.addressProof,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
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
        body: queryArg.ownAddressProof,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    postAuthVerificationDelete: build.mutation<
      PostAuthVerificationDeleteApiResponse,
      PostAuthVerificationDeleteApiArg
    >({
      query: (queryArg) => ({
        url: `/auth/verification/delete`,
        method: 'POST',
        body: queryArg.addressProof,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    postAuthVerificationTakeOver: build.mutation<
      PostAuthVerificationTakeOverApiResponse,
      PostAuthVerificationTakeOverApiArg
    >({
      query: (queryArg) => ({
        url: `/auth/verification/take-over`,
        method: 'POST',
        body: queryArg.newPassword,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedAccountsRecoveryApi };
export type PostAuthGoogleFinishApiResponse =
  /** status 200 Signed in: sets the cookies `session` and `signed-in` */ Finished;
export type PostAuthGoogleFinishApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  addressProof: AddressProof;
};
export type PostAuthPasswordForgotApiResponse =
  /** status 202 If the address has an account, an e-mail is on its way */ Noted;
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
  ownAddressProof: OwnAddressProof;
};
export type PostAuthVerificationDeleteApiResponse = /** status 200 Deleted */ DeletedCount;
export type PostAuthVerificationDeleteApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  addressProof: AddressProof;
};
export type PostAuthVerificationTakeOverApiResponse =
  /** status 200 Done; nobody is signed in by it */ PasswordOf;
export type PostAuthVerificationTakeOverApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newPassword: NewPassword;
};
