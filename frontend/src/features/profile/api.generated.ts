/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { Info, InsertedId, ModifiedCount, NewInfo, UpdatedInfo } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
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

export { injectedRtkApi as generatedProfileApi };
export type GetInfoApiResponse =
  /** status 200 The profile, or null if there is none */ Info | null;
export type GetInfoApiArg =
  /** One's own e-mail; without it one's own as well. */ string | undefined;
export type PutInfoApiResponse =
  /** status 200 1 if anything is different now, else 0 */ ModifiedCount;
export type PutInfoApiArg = {
  /** One's own e-mail; without it one's own as well. */
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
