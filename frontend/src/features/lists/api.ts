import { api } from '@/api/api';
import type { Checked } from '@/features/quick-order/wire';
import type { ListedList, SavedList, SentList } from './wire';

const path = (id: string, more = '') => `/lists/${encodeURIComponent(id)}${more}`;

/** A thousand parts are looked up: that may take longer than a screen is given. */
const TIMEOUT = 60_000;

const listsApi = api.enhanceEndpoints({ addTagTypes: ['List'] }).injectEndpoints({
  endpoints: (build) => ({
    listLists: build.query<ListedList[], void>({ query: () => '/lists', providesTags: ['List'] }),
    getList: build.query<SavedList, string>({
      query: (id) => path(id),
      providesTags: ['List'],
    }),
    addList: build.mutation<{ insertedId: string }, SentList & { 'Idempotency-Key'?: string }>({
      query: ({ 'Idempotency-Key': key, ...body }) => ({
        url: '/lists',
        method: 'POST',
        body,
        headers: { 'Idempotency-Key': key },
      }),
      invalidatesTags: ['List'],
    }),
    editList: build.mutation<unknown, SentList & { id: string }>({
      query: ({ id, ...body }) => ({ url: path(id), method: 'PUT', body }),
      invalidatesTags: ['List'],
    }),
    removeList: build.mutation<unknown, string>({
      query: (id) => ({ url: path(id), method: 'DELETE' }),
      invalidatesTags: ['List'],
    }),
    /** What of it can be ordered now, line by line. Buys nothing. */
    checkSavedList: build.mutation<Checked, string>({
      query: (id) => ({ url: path(id, '/check'), method: 'POST', timeout: TIMEOUT }),
    }),
  }),
});

export const {
  useListListsQuery,
  useGetListQuery,
  useLazyGetListQuery,
  useAddListMutation,
  useEditListMutation,
  useRemoveListMutation,
  useCheckSavedListMutation,
} = listsApi;
