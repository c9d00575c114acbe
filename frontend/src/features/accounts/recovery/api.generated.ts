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
    finishGoogleByEmail: build.mutation<FinishGoogleByEmailApiResponse, FinishGoogleByEmailApiArg>({
      query: (queryArg) => ({
        url: `/auth/google/finish`,
        method: 'POST',
        body: queryArg.addressProof,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    requestPasswordReset: build.mutation<
      RequestPasswordResetApiResponse,
      RequestPasswordResetApiArg
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
    resetPassword: build.mutation<ResetPasswordApiResponse, ResetPasswordApiArg>({
      query: (queryArg) => ({
        url: `/auth/password/reset`,
        method: 'POST',
        body: queryArg.newPassword,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    getVerification: build.query<GetVerificationApiResponse, GetVerificationApiArg>({
      query: () => ({ url: `/auth/verification` }),
    }),
    requestVerification: build.mutation<RequestVerificationApiResponse, RequestVerificationApiArg>({
      query: () => ({ url: `/auth/verification`, method: 'POST' }),
    }),
    confirmAddress: build.mutation<ConfirmAddressApiResponse, ConfirmAddressApiArg>({
      query: (queryArg) => ({
        url: `/auth/verification/confirm`,
        method: 'POST',
        body: queryArg.ownAddressProof,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    deleteUnprovedAccount: build.mutation<
      DeleteUnprovedAccountApiResponse,
      DeleteUnprovedAccountApiArg
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
    takeAccountOver: build.mutation<TakeAccountOverApiResponse, TakeAccountOverApiArg>({
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
export type FinishGoogleByEmailApiResponse =
  /** status 200 Signed in: sets the cookies `session` and `signed-in` */ Finished;
export type FinishGoogleByEmailApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  addressProof: AddressProof;
};
export type RequestPasswordResetApiResponse =
  /** status 202 If the address has an account, an e-mail is on its way */ Noted;
export type RequestPasswordResetApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  forgottenPassword: ForgottenPassword;
};
export type ResetPasswordApiResponse = /** status 200 Done; nobody is signed in by it */ PasswordOf;
export type ResetPasswordApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newPassword: NewPassword;
};
export type GetVerificationApiResponse = /** status 200 Whether it was */ Verification;
export type GetVerificationApiArg = void;
export type RequestVerificationApiResponse = /** status 202 Noted */ Noted;
export type RequestVerificationApiArg = void;
export type ConfirmAddressApiResponse = /** status 200 Confirmed */ Verification;
export type ConfirmAddressApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  ownAddressProof: OwnAddressProof;
};
export type DeleteUnprovedAccountApiResponse = /** status 200 Deleted */ DeletedCount;
export type DeleteUnprovedAccountApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  addressProof: AddressProof;
};
export type TakeAccountOverApiResponse =
  /** status 200 Done; nobody is signed in by it */ PasswordOf;
export type TakeAccountOverApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newPassword: NewPassword;
};
