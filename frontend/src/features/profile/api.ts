import { generatedProfileApi } from './api.generated';

const profileApi = generatedProfileApi.enhanceEndpoints({
  endpoints: {
    getInfo: { providesTags: ['Info'] },
    postInfo: { invalidatesTags: (_added, error) => (error ? [] : ['Info']) },
    putInfo: { invalidatesTags: (_updated, error) => (error ? [] : ['Info']) },
  },
});

export const {
  useGetInfoQuery,
  usePostInfoMutation: useAddInfoMutation,
  usePutInfoMutation: useUpdateInfoMutation,
} = profileApi;
