import { api } from '@/api/api';
import type { Deleted, Modified, Person } from '@/api/types';

const person = (email: string) => encodeURIComponent(email);

const usersApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Oldest account first. */
    getPeople: build.query<Person[], void>({ query: () => '/user', providesTags: ['Person'] }),
    // Refusals too say that the list on the screen is old: another admin was here.
    makeAdmin: build.mutation<Modified, string>({
      query: (email) => ({ url: `/user/admin/${person(email)}`, method: 'PUT' }),
      invalidatesTags: ['Person'],
    }),
    removeUser: build.mutation<Deleted, string>({
      query: (email) => ({ url: `/user/${person(email)}`, method: 'DELETE' }),
      invalidatesTags: ['Person'],
    }),
  }),
});

export const { useGetPeopleQuery, useMakeAdminMutation, useRemoveUserMutation } = usersApi;
