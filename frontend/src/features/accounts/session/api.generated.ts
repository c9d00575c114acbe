/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { Config, Credentials, IsAdmin, NewPerson, Person, Rename } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    isAdmin: build.query<IsAdminApiResponse, IsAdminApiArg>({
      query: (queryArg) => ({
        url: `/admin/${encodeURIComponent(String(queryArg))}`,
      }),
    }),
    logIn: build.mutation<LogInApiResponse, LogInApiArg>({
      query: (queryArg) => ({
        url: `/auth/login`,
        method: 'POST',
        body: queryArg,
      }),
    }),
    logOut: build.mutation<LogOutApiResponse, LogOutApiArg>({
      query: () => ({ url: `/auth/logout`, method: 'POST' }),
    }),
    getMe: build.query<GetMeApiResponse, GetMeApiArg>({
      query: () => ({ url: `/auth/me` }),
    }),
    updateMe: build.mutation<UpdateMeApiResponse, UpdateMeApiArg>({
      query: (queryArg) => ({
        url: `/auth/me`,
        method: 'PATCH',
        body: queryArg.rename,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    signUp: build.mutation<SignUpApiResponse, SignUpApiArg>({
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
export type IsAdminApiResponse = /** status 200 Whether it is */ IsAdmin;
export type IsAdminApiArg = /** The account's e-mail */ string;
export type LogInApiResponse =
  /** status 200 Signed in: sets the cookies `session`, `signed-in` and `device` */ Person;
export type LogInApiArg = Credentials;
export type LogOutApiResponse = unknown;
export type LogOutApiArg = void;
export type GetMeApiResponse = /** status 200 Who is signed in */ Person;
export type GetMeApiArg = void;
export type UpdateMeApiResponse = /** status 200 Who is signed in, as it is now */ Person;
export type UpdateMeApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  rename: Rename;
};
export type SignUpApiResponse =
  /** status 201 Signed up and in: sets the cookies `session`, `signed-in` and `device` */ Person;
export type SignUpApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newPerson: NewPerson;
};
export type GetConfigApiResponse = /** status 200 Settings for the client */ Config;
export type GetConfigApiArg = void;
