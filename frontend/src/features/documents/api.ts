import { api } from '@/api/api';
import { exportOf } from '@/features/admin/shared/export';
import type { IssuedDocument } from './wire';

const documentsApi = api.enhanceEndpoints({ addTagTypes: ['Document'] }).injectEndpoints({
  endpoints: (build) => ({
    listDocuments: build.query<IssuedDocument[], string>({
      query: (email) => ({ url: '/invoices', params: { email } }),
      providesTags: ['Document'],
    }),
    /** Fetches a file at this path with the bearer, and hands it to the browser's downloads. */
    saveDocument: build.mutation<null, string>({
      queryFn: (url, queryApi, extra, fetchFile) =>
        exportOf(new URL(url, location.origin).pathname)({}, queryApi, extra, fetchFile),
    }),
  }),
});

export const { useListDocumentsQuery, useSaveDocumentMutation } = documentsApi;
