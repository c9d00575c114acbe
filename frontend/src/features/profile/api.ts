import { api } from '@/api/api';
import type { Inserted, Modified, NewInfo, ProfileInfo, ProfileUpdate } from '@/api/types';

const profileApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** `null` for somebody who has told nothing yet. */
    getInfo: build.query<ProfileInfo | null, string>({
      query: (email) => ({ url: '/info', params: { email } }),
      providesTags: ['Info'],
    }),
    addInfo: build.mutation<Inserted, { info: NewInfo; key: string }>({
      query: ({ info, key }) => ({
        url: '/info',
        method: 'POST',
        body: info,
        idempotencyKey: key,
      }),
      invalidatesTags: (_added, error) => (error ? [] : ['Info']),
    }),
    updateInfo: build.mutation<Modified, { email: string; update: ProfileUpdate; key: string }>({
      query: ({ email, update, key }) => ({
        url: '/info',
        method: 'PUT',
        params: { email },
        body: update,
        idempotencyKey: key,
      }),
      invalidatesTags: (_updated, error) => (error ? [] : ['Info']),
    }),
  }),
});

export const { useGetInfoQuery, useAddInfoMutation, useUpdateInfoMutation } = profileApi;
