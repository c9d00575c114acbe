/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { DeletedCount, HiddenReview, InsertedId, ModifiedCount, NewReview } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    addReview: build.mutation<AddReviewApiResponse, AddReviewApiArg>({
      query: (queryArg) => ({
        url: `/reviews`,
        method: 'POST',
        body: queryArg.newReview,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    listHiddenReviews: build.query<ListHiddenReviewsApiResponse, ListHiddenReviewsApiArg>({
      query: () => ({ url: `/reviews/hidden` }),
    }),
    removeReview: build.mutation<RemoveReviewApiResponse, RemoveReviewApiArg>({
      query: (queryArg) => ({
        url: `/reviews/${encodeURIComponent(String(queryArg))}`,
        method: 'DELETE',
      }),
    }),
    restoreReview: build.mutation<RestoreReviewApiResponse, RestoreReviewApiArg>({
      query: (queryArg) => ({
        url: `/reviews/${encodeURIComponent(String(queryArg))}/restore`,
        method: 'POST',
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedReviewsApi };
export type AddReviewApiResponse = /** status 201 Written */ InsertedId;
export type AddReviewApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newReview: NewReview;
};
export type ListHiddenReviewsApiResponse = /** status 200 Removed reviews */ HiddenReview[];
export type ListHiddenReviewsApiArg = void;
export type RemoveReviewApiResponse = /** status 200 1 if this call did it, else 0 */ DeletedCount;
export type RemoveReviewApiArg = /** The review's id */ string;
export type RestoreReviewApiResponse =
  /** status 200 1 if this call did it, else 0 */ ModifiedCount;
export type RestoreReviewApiArg = /** The review's id */ string;
