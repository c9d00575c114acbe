import { api } from '@/api/api';

const newsletterApi = api.injectEndpoints({
  endpoints: (build) => ({
    subscribe: build.mutation<unknown, { email: string; key: string }>({
      query: ({ email, key }) => ({
        url: '/newsletter',
        method: 'POST',
        body: { email },
        idempotencyKey: key,
      }),
    }),
  }),
});

export const { useSubscribeMutation } = newsletterApi;
