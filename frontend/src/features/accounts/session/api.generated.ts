/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { Config, Credentials, IsAdmin, NewPerson, Person, Rename } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getAdminByEmail: build.query<GetAdminByEmailApiResponse, GetAdminByEmailApiArg>({
      query: (queryArg) => ({
        url: `/admin/${encodeURIComponent(String(queryArg))}`,
      }),
    }),
    postAuthLogin: build.mutation<PostAuthLoginApiResponse, PostAuthLoginApiArg>({
      query: (queryArg) => ({
        url: `/auth/login`,
        method: 'POST',
        body: queryArg,
      }),
    }),
    postAuthLogout: build.mutation<PostAuthLogoutApiResponse, PostAuthLogoutApiArg>({
      query: () => ({ url: `/auth/logout`, method: 'POST' }),
    }),
    getAuthMe: build.query<GetAuthMeApiResponse, GetAuthMeApiArg>({
      query: () => ({ url: `/auth/me` }),
    }),
    patchAuthMe: build.mutation<PatchAuthMeApiResponse, PatchAuthMeApiArg>({
      query: (queryArg) => ({
        url: `/auth/me`,
        method: 'PATCH',
        body: queryArg.rename,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    postAuthSignup: build.mutation<PostAuthSignupApiResponse, PostAuthSignupApiArg>({
      query: (queryArg) => ({
        url: `/auth/signup`,
        method: 'POST',
        body: queryArg.newPerson,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    getConfig: build.query<GetConfigApiResponse, GetConfigApiArg>({
      query: () => ({ url: `/config` }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedAccountsSessionApi };
export type GetAdminByEmailApiResponse = /** status 200 Whether it is */ IsAdmin;
export type GetAdminByEmailApiArg = /** The account's e-mail */ string;
export type PostAuthLoginApiResponse =
  /** status 200 Signed in: sets the cookies `session`, `signed-in` and `device` */ Person;
export type PostAuthLoginApiArg = Credentials;
export type PostAuthLogoutApiResponse = unknown;
export type PostAuthLogoutApiArg = void;
export type GetAuthMeApiResponse = /** status 200 Who is signed in */ Person;
export type GetAuthMeApiArg = void;
export type PatchAuthMeApiResponse = /** status 200 Who is signed in, as it is now */ Person;
export type PatchAuthMeApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  rename: Rename;
};
export type PostAuthSignupApiResponse =
  /** status 201 Signed up and in: sets the cookies `session`, `signed-in` and `device` */ Person;
export type PostAuthSignupApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newPerson: NewPerson;
};
export type GetConfigApiResponse = /** status 200 Settings for the client */ Config;
export type GetConfigApiArg = void;
