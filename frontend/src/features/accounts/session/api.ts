import { generatedAccountsSessionApi } from './api.generated';

const sessionApi = generatedAccountsSessionApi.enhanceEndpoints({
  endpoints: {
    isAdmin: { providesTags: ['Role'] },
    getConfig: { providesTags: ['Config'] },
  },
});

export const { useIsAdminQuery, useGetConfigQuery, useUpdateMeMutation } = sessionApi;

const { getConfig, getMe, isAdmin, logIn, logOut, signUp, updateMe } = sessionApi.endpoints;
/** What is called without a hook: by the thunks, and by tests. */
export const sessionEndpoints = { getConfig, getMe, isAdmin, logIn, logOut, signUp, updateMe };
