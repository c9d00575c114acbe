import { api } from '@/api/api';
import type { Account, ShopConfig } from '@/api/types';

interface Keyed {
  key: string;
}

const sessionApi = api.injectEndpoints({
  endpoints: (build) => ({
    getMe: build.query<Account, void>({ query: () => '/auth/me' }),
    login: build.mutation<Account, { email: string; password: string } & Keyed>({
      query: ({ key, ...body }) => ({
        url: '/auth/login',
        method: 'POST',
        body,
        idempotencyKey: key,
      }),
    }),
    signup: build.mutation<Account, { name: string; email: string; password: string } & Keyed>({
      query: ({ key, ...body }) => ({
        url: '/auth/signup',
        method: 'POST',
        body,
        idempotencyKey: key,
      }),
    }),
    logout: build.mutation<null, void>({
      query: () => ({ url: '/auth/logout', method: 'POST' }),
    }),
    updateMe: build.mutation<Account, { displayName?: string; photoURL?: string }>({
      query: (body) => ({ url: '/auth/me', method: 'PATCH', body }),
    }),
    isAdmin: build.query<boolean, string>({
      query: (email) => `/admin/${encodeURIComponent(email)}`,
      transformResponse: (answer: { admin: boolean }) => answer.admin,
      providesTags: ['Role'],
    }),
    getConfig: build.query<ShopConfig, void>({ query: () => '/config', providesTags: ['Config'] }),
  }),
});

export const { useIsAdminQuery, useGetConfigQuery, useUpdateMeMutation } = sessionApi;
export const sessionEndpoints = sessionApi.endpoints;
