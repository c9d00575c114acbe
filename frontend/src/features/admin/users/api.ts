import type { DefinitionsFromApi, TagTypesFromApi } from '@reduxjs/toolkit/query';
import { type Paged, toPage } from '@/api/page';
import type { User } from '@/api/types';
import { generatedAdminUsersApi } from './api.generated';

const adminUsersApi = generatedAdminUsersApi.enhanceEndpoints<
  TagTypesFromApi<typeof generatedAdminUsersApi>,
  Paged<DefinitionsFromApi<typeof generatedAdminUsersApi>, 'listAccounts', User>
>({
  endpoints: {
    listAccounts: { transformResponse: toPage<User>, providesTags: ['Account'] },
    // Refusals too say that the list on the screen is old: another admin was here.
    grantAdmin: { invalidatesTags: ['Account'] },
    // Who gives up their own role may not ask for the list any more: on success the screen says what is old.
    revokeAdmin: { invalidatesTags: (_done, error) => (error ? ['Account'] : []) },
    removeAccount: { invalidatesTags: ['Account'] },
  },
});

export const {
  useListAccountsQuery,
  useGrantAdminMutation,
  useRevokeAdminMutation,
  useRemoveAccountMutation,
} = adminUsersApi;
export const { invalidateTags } = adminUsersApi.util;
