import { generatedAdminUsersApi } from './api.generated';

const adminUsersApi = generatedAdminUsersApi.enhanceEndpoints({
  endpoints: {
    getUser: { providesTags: ['Person'] },
    // Refusals too say that the list on the screen is old: another admin was here.
    putUserAdminByEmail: { invalidatesTags: ['Person'] },
    deleteUserAdminByEmail: { invalidatesTags: ['Person'] },
    deleteUserByEmail: { invalidatesTags: ['Person'] },
  },
});

export const {
  useGetUserQuery: useGetPeopleQuery,
  usePutUserAdminByEmailMutation: useMakeAdminMutation,
  useDeleteUserAdminByEmailMutation: useTakeAdminBackMutation,
  useDeleteUserByEmailMutation: useRemoveUserMutation,
} = adminUsersApi;
