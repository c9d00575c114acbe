import type { Person } from '@/api/types';
import { generatedAccountsProfileApi } from './api.generated';

/** A picture may take longer than a screen is given. */
const UPLOAD_TIMEOUT = 60_000;

const profileApi = generatedAccountsProfileApi
  .enhanceEndpoints({
    endpoints: {
      getInfo: { providesTags: ['Info'] },
      postInfo: { invalidatesTags: (_added, error) => (error ? [] : ['Info']) },
      putInfo: { invalidatesTags: (_updated, error) => (error ? [] : ['Info']) },
      getAuthSessions: { providesTags: ['Session'] },
      // A refusal too says that the list on the screen is old: the session has ended elsewhere.
      deleteAuthSessionsById: { invalidatesTags: ['Session'] },
      deleteAuthSessions: { invalidatesTags: ['Session'] },
      postAuthPasswordChange: { invalidatesTags: (_changed, error) => (error ? [] : ['Session']) },
    },
  })
  .injectEndpoints({
    endpoints: (build) => ({
      uploadPhoto: build.mutation<Person, File>({
        query: (picture) => {
          const body = new FormData();
          body.append('image', picture);
          return { url: '/auth/me/photo', method: 'POST', body, timeout: UPLOAD_TIMEOUT };
        },
      }),
    }),
  });

export const {
  useGetInfoQuery,
  useGetAuthSignInMethodsQuery: useSignInMethodsQuery,
  usePostAuthGoogleLinkMutation: useLinkGoogleMutation,
  useDeleteAuthGoogleLinkMutation: useUnlinkGoogleMutation,
  usePostInfoMutation: useAddInfoMutation,
  usePutInfoMutation: useUpdateInfoMutation,
  useGetAuthSessionsQuery: useSessionsQuery,
  useDeleteAuthSessionsByIdMutation: useEndSessionMutation,
  useDeleteAuthSessionsMutation: useEndOtherSessionsMutation,
  usePostAuthPasswordChangeMutation: useChangePasswordMutation,
  useUploadPhotoMutation,
} = profileApi;
