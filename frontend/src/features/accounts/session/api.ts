import { generatedAccountsSessionApi } from './api.generated';

const sessionApi = generatedAccountsSessionApi.enhanceEndpoints({
  endpoints: {
    isAdmin: { providesTags: ['Role'] },
    getConfig: { providesTags: ['Config'] },
  },
});

export const { useIsAdminQuery, useGetConfigQuery, useUpdateMeMutation } = sessionApi;

const { getConfig, getMe, isAdmin, logIn, logOut, signUp } = sessionApi.endpoints;
/** What the thunks call. */
export const sessionEndpoints = { getConfig, getMe, isAdmin, logIn, logOut, signUp };
