/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { DeletedCount, ModifiedCount, Role, User, UserSort } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getUser: build.query<GetUserApiResponse, GetUserApiArg>({
      query: (queryArg) => ({
        url: `/user`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          q: queryArg.q,
          role: queryArg.role,
          sort: queryArg.sort,
        },
      }),
    }),
    putUserAdminByEmail: build.mutation<PutUserAdminByEmailApiResponse, PutUserAdminByEmailApiArg>({
      query: (queryArg) => ({
        url: `/user/admin/${encodeURIComponent(String(queryArg))}`,
        method: 'PUT',
      }),
    }),
    deleteUserAdminByEmail: build.mutation<
      DeleteUserAdminByEmailApiResponse,
      DeleteUserAdminByEmailApiArg
    >({
      query: (queryArg) => ({
        url: `/user/admin/${encodeURIComponent(String(queryArg))}`,
        method: 'DELETE',
      }),
    }),
    deleteUserByEmail: build.mutation<DeleteUserByEmailApiResponse, DeleteUserByEmailApiArg>({
      query: (queryArg) => ({
        url: `/user/${encodeURIComponent(String(queryArg))}`,
        method: 'DELETE',
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedAdminUsersApi };
export type GetUserApiResponse = /** status 200 Accounts */ User[];
export type GetUserApiArg = {
  /** The maximum number of items, 1 to 1000; all of them if left out. */
  limit?: number;
  /** Where the previous page ended, as its `Link` says. */
  cursor?: string;
  /** Only those in whose name or e-mail every word of this occurs. */
  q?: string;
  /** Only those with this role. */
  role?: Role;
  /** `oldest` without it. */
  sort?: UserSort;
};
export type PutUserAdminByEmailApiResponse =
  /** status 200 1 if this call did it, else 0 */ ModifiedCount;
export type PutUserAdminByEmailApiArg = /** The account's e-mail */ string;
export type DeleteUserAdminByEmailApiResponse =
  /** status 200 1 if this call did it, else 0 */ ModifiedCount;
export type DeleteUserAdminByEmailApiArg = /** The account's e-mail */ string;
export type DeleteUserByEmailApiResponse = /** status 200 Removed */ DeletedCount;
export type DeleteUserByEmailApiArg = /** The account's e-mail */ string;
