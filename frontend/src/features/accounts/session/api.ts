import { generatedAccountsSessionApi } from './api.generated';

const sessionApi = generatedAccountsSessionApi.enhanceEndpoints({
  endpoints: {
    getAdminByEmail: { providesTags: ['Role'] },
    getConfig: { providesTags: ['Config'] },
  },
});

export const {
  useGetAdminByEmailQuery: useIsAdminQuery,
  useGetConfigQuery,
  usePatchAuthMeMutation: useUpdateMeMutation,
} = sessionApi;
export const sessionEndpoints = sessionApi.endpoints;
