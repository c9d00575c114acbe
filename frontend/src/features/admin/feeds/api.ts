import type { DefinitionsFromApi, TagTypesFromApi } from '@reduxjs/toolkit/query';
import { api } from '@/api/api';
import { type Paged, toPage } from '@/api/page';
import type { Feed, FeedDetails, FeedKindName, FeedModeName } from '@/api/types';
import { exportOf } from '../shared/export';
import { generatedAdminFeedsApi } from './api.generated';

/** A file to be checked. It is applied only afterwards, on this screen. */
interface Sending {
  file: File;
  kind: FeedKindName;
  mode: FeedModeName;
}

/** A file of hundreds of megabytes takes its time to be sent. */
const UPLOAD_TIMEOUT = 30 * 60_000;

const enhanced = generatedAdminFeedsApi.enhanceEndpoints<
  TagTypesFromApi<typeof api> | 'Feed',
  Paged<DefinitionsFromApi<typeof generatedAdminFeedsApi>, 'listFeeds', Feed>
>({
  addTagTypes: ['Feed'],
  endpoints: {
    listFeeds: { transformResponse: toPage<Feed>, providesTags: ['Feed'] },
    getFeed: { providesTags: ['Feed'] },
    // A refusal too says that the feed on the screen is old: another admin was here.
    applyFeed: { invalidatesTags: ['Feed'] },
    cancelFeed: { invalidatesTags: ['Feed'] },
  },
});

const feedsApi = enhanced.injectEndpoints({
  endpoints: (build) => ({
    sendFeed: build.mutation<FeedDetails, Sending>({
      query: ({ file, kind, mode }) => ({
        url: '/feeds',
        method: 'POST',
        params: { kind, mode, dryRun: true, name: file.name },
        body: file,
        headers: { 'Content-Type': 'text/csv' },
        timeout: UPLOAD_TIMEOUT,
      }),
      invalidatesTags: ['Feed'],
    }),
    saveFindings: build.mutation<null, string>({
      queryFn: (id, queryApi, extra, fetchFile) =>
        exportOf(`/feeds/${encodeURIComponent(id)}/findings.csv`)({}, queryApi, extra, fetchFile),
    }),
  }),
});

export const {
  useListFeedsQuery,
  useGetFeedQuery,
  useApplyFeedMutation,
  useCancelFeedMutation,
  useSendFeedMutation,
  useSaveFindingsMutation,
} = feedsApi;

/** What a feed applied is old everywhere else. */
export const productsAreOld = () => api.util.invalidateTags(['Product']);
