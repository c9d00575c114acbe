/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { ApplyFeed, DeletedCount, Feed, FeedDetails } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listFeeds: build.query<ListFeedsApiResponse, ListFeedsApiArg>({
      query: (queryArg) => ({
        url: `/feeds`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
    getFeed: build.query<GetFeedApiResponse, GetFeedApiArg>({
      query: (queryArg) => ({
        url: `/feeds/${encodeURIComponent(String(queryArg))}`,
      }),
    }),
    cancelFeed: build.mutation<CancelFeedApiResponse, CancelFeedApiArg>({
      query: (queryArg) => ({
        url: `/feeds/${encodeURIComponent(String(queryArg))}`,
        method: 'DELETE',
      }),
    }),
    applyFeed: build.mutation<ApplyFeedApiResponse, ApplyFeedApiArg>({
      query: (queryArg) => ({
        url: `/feeds/${encodeURIComponent(String(queryArg.id))}/apply`,
        method: 'POST',
        body: queryArg.body,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedAdminFeedsApi };
export type ListFeedsApiResponse = /** status 200 Feeds */ Feed[];
export type ListFeedsApiArg = {
  /** The maximum number of items, 1 to 1000; all of them if left out. */
  limit?: number;
  /** Where the previous page ended, as its `Link` says. */
  cursor?: string;
};
export type GetFeedApiResponse = /** status 200 The feed */ FeedDetails;
export type GetFeedApiArg = /** The feed's id */ string;
export type CancelFeedApiResponse =
  /** status 200 1 if this call did it, 0 if it was called off before */ DeletedCount;
export type CancelFeedApiArg = /** The feed's id */ string;
export type ApplyFeedApiResponse = /** status 202 It is going to be applied */ FeedDetails;
export type ApplyFeedApiArg = {
  /** The feed's id */
  id: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  body: ApplyFeed | null;
};
