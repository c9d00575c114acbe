import type { Person } from '@/api/types';
import { generatedAccountsProfileApi } from './api.generated';

/** A picture may take longer than a screen is given. */
const UPLOAD_TIMEOUT = 60_000;

const profileApi = generatedAccountsProfileApi
  .enhanceEndpoints({
    endpoints: {
      getProfile: { providesTags: ['Info'] },
      fillProfile: { invalidatesTags: (_added, error) => (error ? [] : ['Info']) },
      editProfile: { invalidatesTags: (_updated, error) => (error ? [] : ['Info']) },
      listSessions: { providesTags: ['Session'] },
      // A refusal too says that the list on the screen is old: the session has ended elsewhere.
      endSession: { invalidatesTags: ['Session'] },
      endOtherSessions: { invalidatesTags: ['Session'] },
      changePassword: { invalidatesTags: (_changed, error) => (error ? [] : ['Session']) },
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
  useGetProfileQuery,
  useListSignInMethodsQuery,
  useBeginGoogleLinkMutation,
  useUnlinkGoogleMutation,
  useFillProfileMutation,
  useEditProfileMutation,
  useListSessionsQuery,
  useEndSessionMutation,
  useEndOtherSessionsMutation,
  useChangePasswordMutation,
  useUploadPhotoMutation,
} = profileApi;
