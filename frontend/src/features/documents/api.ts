import { api } from '@/api/api';
import { savedFile } from '@/api/saved-file';
import type { IssuedDocument } from './wire';

const documentsApi = api.enhanceEndpoints({ addTagTypes: ['Document'] }).injectEndpoints({
  endpoints: (build) => ({
    listDocuments: build.query<IssuedDocument[], string>({
      query: (email) => ({ url: '/invoices', params: { email } }),
      providesTags: ['Document'],
    }),
    /** Fetches a file at this path with the bearer, and hands it to the browser's downloads. */
    downloadDocument: build.mutation<null, string>({
      queryFn: (url, _api, _options, fetchFile) => {
        const { pathname, search } = new URL(url, location.origin);
        return savedFile(fetchFile, { url: pathname + search });
      },
    }),
  }),
});

export const { useListDocumentsQuery, useDownloadDocumentMutation } = documentsApi;
