/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type {
  DeletedCount,
  EndedSessions,
  Info,
  InsertedId,
  Methods,
  ModifiedCount,
  NewInfo,
  PasswordChange,
  Session,
  UpdatedInfo,
  WayToGoogle,
} from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    postAuthGoogleLink: build.mutation<PostAuthGoogleLinkApiResponse, PostAuthGoogleLinkApiArg>({
      query: () => ({ url: `/auth/google/link`, method: 'POST' }),
    }),
    deleteAuthGoogleLink: build.mutation<
      DeleteAuthGoogleLinkApiResponse,
      DeleteAuthGoogleLinkApiArg
    >({
      query: () => ({ url: `/auth/google/link`, method: 'DELETE' }),
    }),
    postAuthPasswordChange: build.mutation<
      PostAuthPasswordChangeApiResponse,
      PostAuthPasswordChangeApiArg
    >({
      query: (queryArg) => ({
        url: `/auth/password/change`,
        method: 'POST',
        body: queryArg.passwordChange,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    getAuthSessions: build.query<GetAuthSessionsApiResponse, GetAuthSessionsApiArg>({
      query: () => ({ url: `/auth/sessions` }),
    }),
    deleteAuthSessions: build.mutation<DeleteAuthSessionsApiResponse, DeleteAuthSessionsApiArg>({
      query: () => ({ url: `/auth/sessions`, method: 'DELETE' }),
    }),
    deleteAuthSessionsById: build.mutation<
      DeleteAuthSessionsByIdApiResponse,
      DeleteAuthSessionsByIdApiArg
    >({
      query: (queryArg) => ({
        url: `/auth/sessions/${encodeURIComponent(String(queryArg))}`,
        method: 'DELETE',
      }),
    }),
    getAuthSignInMethods: build.query<GetAuthSignInMethodsApiResponse, GetAuthSignInMethodsApiArg>({
      query: () => ({ url: `/auth/sign-in-methods` }),
    }),
    getInfo: build.query<GetInfoApiResponse, GetInfoApiArg>({
      query: (queryArg) => ({
        url: `/info`,
        params: {
          email: queryArg,
        },
      }),
    }),
    putInfo: build.mutation<PutInfoApiResponse, PutInfoApiArg>({
      query: (queryArg) => ({
        url: `/info`,
        method: 'PUT',
        body: queryArg.updatedInfo,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
        params: {
          email: queryArg.email,
        },
      }),
    }),
    postInfo: build.mutation<PostInfoApiResponse, PostInfoApiArg>({
      query: (queryArg) => ({
        url: `/info`,
        method: 'POST',
        body: queryArg.newInfo,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedAccountsProfileApi };
export type PostAuthGoogleLinkApiResponse =
  /** status 200 Where to go; sets the cookie `google-attempt` */ WayToGoogle;
export type PostAuthGoogleLinkApiArg = void;
export type DeleteAuthGoogleLinkApiResponse =
  /** status 200 1 if this call did it, else 0 */ DeletedCount;
export type DeleteAuthGoogleLinkApiArg = void;
export type PostAuthPasswordChangeApiResponse = unknown;
export type PostAuthPasswordChangeApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  passwordChange: PasswordChange;
};
export type GetAuthSessionsApiResponse = /** status 200 One's live sessions */ Session[];
export type GetAuthSessionsApiArg = void;
export type DeleteAuthSessionsApiResponse = /** status 200 How many ended */ EndedSessions;
export type DeleteAuthSessionsApiArg = void;
export type DeleteAuthSessionsByIdApiResponse =
  /** status 200 1 if this call ended it, else 0 */ DeletedCount;
export type DeleteAuthSessionsByIdApiArg = /** The session's id */ string;
export type GetAuthSignInMethodsApiResponse = /** status 200 Which there are */ Methods;
export type GetAuthSignInMethodsApiArg = void;
export type GetInfoApiResponse =
  /** status 200 The profile, or null if there is none */ Info | null;
export type GetInfoApiArg = /** One's own e-mail; may be left out. */ string | undefined;
export type PutInfoApiResponse =
  /** status 200 1 if anything is different now, else 0 */ ModifiedCount;
export type PutInfoApiArg = {
  /** One's own e-mail; may be left out. */
  email?: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  updatedInfo: UpdatedInfo;
};
export type PostInfoApiResponse = /** status 201 Stored */ InsertedId;
export type PostInfoApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newInfo: NewInfo;
};
