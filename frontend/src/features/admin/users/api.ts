import type { DefinitionsFromApi, TagTypesFromApi } from '@reduxjs/toolkit/query';
import { type Paged, toPage } from '@/api/page';
import type { User } from '@/api/types';
import { generatedAdminUsersApi } from './api.generated';

const adminUsersApi = generatedAdminUsersApi.enhanceEndpoints<
  TagTypesFromApi<typeof generatedAdminUsersApi>,
  Paged<DefinitionsFromApi<typeof generatedAdminUsersApi>, 'getUser', User>
>({
  endpoints: {
    getUser: { transformResponse: toPage<User>, providesTags: ['Person'] },
    // Refusals too say that the list on the screen is old: another admin was here.
    putUserAdminByEmail: { invalidatesTags: ['Person'] },
    // An admin may give up their own role.
    deleteUserAdminByEmail: { invalidatesTags: ['Person', 'Role'] },
    deleteUserByEmail: { invalidatesTags: ['Person'] },
  },
});

export const {
  useGetUserQuery: useGetPeopleQuery,
  usePutUserAdminByEmailMutation: useMakeAdminMutation,
  useDeleteUserAdminByEmailMutation: useTakeAdminBackMutation,
  useDeleteUserByEmailMutation: useRemoveUserMutation,
} = adminUsersApi;
