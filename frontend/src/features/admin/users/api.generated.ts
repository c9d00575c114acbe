/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { DeletedCount, ModifiedCount, Role, User, UserSort } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listAccounts: build.query<ListAccountsApiResponse, ListAccountsApiArg>({
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
    grantAdmin: build.mutation<GrantAdminApiResponse, GrantAdminApiArg>({
      query: (queryArg) => ({
        url: `/user/admin/${encodeURIComponent(String(queryArg))}`,
        method: 'PUT',
      }),
    }),
    revokeAdmin: build.mutation<RevokeAdminApiResponse, RevokeAdminApiArg>({
      query: (queryArg) => ({
        url: `/user/admin/${encodeURIComponent(String(queryArg))}`,
        method: 'DELETE',
      }),
    }),
    removeAccount: build.mutation<RemoveAccountApiResponse, RemoveAccountApiArg>({
      query: (queryArg) => ({
        url: `/user/${encodeURIComponent(String(queryArg))}`,
        method: 'DELETE',
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedAdminUsersApi };
export type ListAccountsApiResponse = /** status 200 Accounts */ User[];
export type ListAccountsApiArg = {
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
export type GrantAdminApiResponse = /** status 200 1 if this call did it, else 0 */ ModifiedCount;
export type GrantAdminApiArg = /** The account's e-mail */ string;
export type RevokeAdminApiResponse = /** status 200 1 if this call did it, else 0 */ ModifiedCount;
export type RevokeAdminApiArg = /** The account's e-mail */ string;
export type RemoveAccountApiResponse = /** status 200 Removed */ DeletedCount;
export type RemoveAccountApiArg = /** The account's e-mail */ string;
