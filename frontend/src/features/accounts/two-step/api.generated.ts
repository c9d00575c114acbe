/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type {
  AppCode,
  AppKey,
  DeletedCount,
  NewPasskey,
  PasskeyOptions,
  RecoveryCodes,
  SecondFactors,
  Signature,
} from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getSecondFactor: build.query<GetSecondFactorApiResponse, GetSecondFactorApiArg>({
      query: () => ({ url: `/auth/second-factor` }),
    }),
    confirmApp: build.mutation<ConfirmAppApiResponse, ConfirmAppApiArg>({
      query: (queryArg) => ({
        url: `/auth/second-factor/app`,
        method: 'PUT',
        body: queryArg,
      }),
    }),
    beginApp: build.mutation<BeginAppApiResponse, BeginAppApiArg>({
      query: () => ({ url: `/auth/second-factor/app`, method: 'POST' }),
    }),
    removeApp: build.mutation<RemoveAppApiResponse, RemoveAppApiArg>({
      query: () => ({ url: `/auth/second-factor/app`, method: 'DELETE' }),
    }),
    addPasskey: build.mutation<AddPasskeyApiResponse, AddPasskeyApiArg>({
      query: (queryArg) => ({
        url: `/auth/second-factor/passkeys`,
        method: 'POST',
        body: queryArg,
      }),
    }),
    beginPasskey: build.mutation<BeginPasskeyApiResponse, BeginPasskeyApiArg>({
      query: () => ({
        url: `/auth/second-factor/passkeys/options`,
        method: 'POST',
      }),
    }),
    removePasskey: build.mutation<RemovePasskeyApiResponse, RemovePasskeyApiArg>({
      query: (queryArg) => ({
        url: `/auth/second-factor/passkeys/${encodeURIComponent(String(queryArg))}`,
        method: 'DELETE',
      }),
    }),
    proveByCode: build.mutation<ProveByCodeApiResponse, ProveByCodeApiArg>({
      query: (queryArg) => ({
        url: `/auth/second-factor/proof`,
        method: 'POST',
        body: queryArg,
      }),
    }),
    proveByPasskey: build.mutation<ProveByPasskeyApiResponse, ProveByPasskeyApiArg>({
      query: (queryArg) => ({
        url: `/auth/second-factor/proof/passkey`,
        method: 'POST',
        body: queryArg,
      }),
    }),
    beginProofByPasskey: build.mutation<BeginProofByPasskeyApiResponse, BeginProofByPasskeyApiArg>({
      query: () => ({
        url: `/auth/second-factor/proof/passkey/options`,
        method: 'POST',
      }),
    }),
    renewRecoveryCodes: build.mutation<RenewRecoveryCodesApiResponse, RenewRecoveryCodesApiArg>({
      query: () => ({
        url: `/auth/second-factor/recovery-codes`,
        method: 'POST',
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedAccountsTwoStepApi };
export type GetSecondFactorApiResponse =
  /** status 200 What there is, and how far this session has proved it */ SecondFactors;
export type GetSecondFactorApiArg = void;
export type ConfirmAppApiResponse =
  /** status 200 Added; recovery codes if it is the first factor, else none */ RecoveryCodes;
export type ConfirmAppApiArg = AppCode;
export type BeginAppApiResponse = /** status 200 What to set the app up with */ AppKey;
export type BeginAppApiArg = void;
export type RemoveAppApiResponse = /** status 200 1 if this call removed it, else 0 */ DeletedCount;
export type RemoveAppApiArg = void;
export type AddPasskeyApiResponse =
  /** status 200 Added; recovery codes if it is the first factor, else none */ RecoveryCodes;
export type AddPasskeyApiArg = NewPasskey;
export type BeginPasskeyApiResponse =
  /** status 200 For `navigator.credentials.create` */ PasskeyOptions;
export type BeginPasskeyApiArg = void;
export type RemovePasskeyApiResponse =
  /** status 200 1 if this call removed it, else 0 */ DeletedCount;
export type RemovePasskeyApiArg = /** The passkey's id */ string;
export type ProveByCodeApiResponse = unknown;
export type ProveByCodeApiArg = AppCode;
export type ProveByPasskeyApiResponse = unknown;
export type ProveByPasskeyApiArg = Signature;
export type BeginProofByPasskeyApiResponse =
  /** status 200 For `navigator.credentials.get` */ PasskeyOptions;
export type BeginProofByPasskeyApiArg = void;
export type RenewRecoveryCodesApiResponse = /** status 200 The new codes */ RecoveryCodes;
export type RenewRecoveryCodesApiArg = void;
