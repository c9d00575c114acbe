import type { DefinitionsFromApi, TagTypesFromApi } from '@reduxjs/toolkit/query';
import { type Paged, toPage } from '@/api/page';
import type { User } from '@/api/types';
import { generatedAdminUsersApi } from './api.generated';

const adminUsersApi = generatedAdminUsersApi.enhanceEndpoints<
  TagTypesFromApi<typeof generatedAdminUsersApi>,
  Paged<DefinitionsFromApi<typeof generatedAdminUsersApi>, 'getUser', User>
>({
  endpoints: {
    getUser: { transformResponse: toPage<User>, providesTags: ['Account'] },
    // Refusals too say that the list on the screen is old: another admin was here.
    putUserAdminByEmail: { invalidatesTags: ['Account'] },
    // Who gives up their own role may not ask for the list any more: on success the screen says what is old.
    deleteUserAdminByEmail: { invalidatesTags: (_done, error) => (error ? ['Account'] : []) },
    deleteUserByEmail: { invalidatesTags: ['Account'] },
  },
});

export const {
  useGetUserQuery: useGetAccountsQuery,
  usePutUserAdminByEmailMutation: useMakeAdminMutation,
  useDeleteUserAdminByEmailMutation: useTakeAdminBackMutation,
  useDeleteUserByEmailMutation: useRemoveUserMutation,
} = adminUsersApi;
export const { invalidateTags } = adminUsersApi.util;
