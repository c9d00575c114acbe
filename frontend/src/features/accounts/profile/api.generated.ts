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
    beginGoogleLink: build.mutation<BeginGoogleLinkApiResponse, BeginGoogleLinkApiArg>({
      query: () => ({ url: `/auth/google/link`, method: 'POST' }),
    }),
    unlinkGoogle: build.mutation<UnlinkGoogleApiResponse, UnlinkGoogleApiArg>({
      query: () => ({ url: `/auth/google/link`, method: 'DELETE' }),
    }),
    changePassword: build.mutation<ChangePasswordApiResponse, ChangePasswordApiArg>({
      query: (queryArg) => ({
        url: `/auth/password/change`,
        method: 'POST',
        body: queryArg.passwordChange,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    listSessions: build.query<ListSessionsApiResponse, ListSessionsApiArg>({
      query: () => ({ url: `/auth/sessions` }),
    }),
    endOtherSessions: build.mutation<EndOtherSessionsApiResponse, EndOtherSessionsApiArg>({
      query: () => ({ url: `/auth/sessions`, method: 'DELETE' }),
    }),
    endSession: build.mutation<EndSessionApiResponse, EndSessionApiArg>({
      query: (queryArg) => ({
        url: `/auth/sessions/${encodeURIComponent(String(queryArg))}`,
        method: 'DELETE',
      }),
    }),
    listSignInMethods: build.query<ListSignInMethodsApiResponse, ListSignInMethodsApiArg>({
      query: () => ({ url: `/auth/sign-in-methods` }),
    }),
    getProfile: build.query<GetProfileApiResponse, GetProfileApiArg>({
      query: (queryArg) => ({
        url: `/info`,
        params: {
          email: queryArg,
        },
      }),
    }),
    editProfile: build.mutation<EditProfileApiResponse, EditProfileApiArg>({
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
    fillProfile: build.mutation<FillProfileApiResponse, FillProfileApiArg>({
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
export type BeginGoogleLinkApiResponse =
  /** status 200 Where to go; sets the cookie `google-attempt` */ WayToGoogle;
export type BeginGoogleLinkApiArg = void;
export type UnlinkGoogleApiResponse = /** status 200 1 if this call did it, else 0 */ DeletedCount;
export type UnlinkGoogleApiArg = void;
export type ChangePasswordApiResponse = unknown;
export type ChangePasswordApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  passwordChange: PasswordChange;
};
export type ListSessionsApiResponse = /** status 200 One's live sessions */ Session[];
export type ListSessionsApiArg = void;
export type EndOtherSessionsApiResponse = /** status 200 How many ended */ EndedSessions;
export type EndOtherSessionsApiArg = void;
export type EndSessionApiResponse = /** status 200 1 if this call ended it, else 0 */ DeletedCount;
export type EndSessionApiArg = /** The session's id */ string;
export type ListSignInMethodsApiResponse = /** status 200 Which there are */ Methods;
export type ListSignInMethodsApiArg = void;
export type GetProfileApiResponse =
  /** status 200 The profile, or null if there is none */ Info | null;
export type GetProfileApiArg = /** One's own e-mail; may be left out. */ string | undefined;
export type EditProfileApiResponse =
  /** status 200 1 if anything is different now, else 0 */ ModifiedCount;
export type EditProfileApiArg = {
  /** One's own e-mail; may be left out. */
  email?: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  updatedInfo: UpdatedInfo;
};
export type FillProfileApiResponse = /** status 201 Stored */ InsertedId;
export type FillProfileApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newInfo: NewInfo;
};
