/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { DeletedCount, InsertedId, NewReview } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    postReviews: build.mutation<PostReviewsApiResponse, PostReviewsApiArg>({
      query: (queryArg) => ({
        url: `/reviews`,
        method: 'POST',
        body: queryArg.newReview,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    deleteReviewsById: build.mutation<DeleteReviewsByIdApiResponse, DeleteReviewsByIdApiArg>({
      query: (queryArg) => ({
        url: `/reviews/${encodeURIComponent(String(queryArg))}`,
        method: 'DELETE',
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedReviewsApi };
export type PostReviewsApiResponse = /** status 201 Written */ InsertedId;
export type PostReviewsApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newReview: NewReview;
};
export type DeleteReviewsByIdApiResponse =
  /** status 200 1 if this call did it, else 0 */ DeletedCount;
export type DeleteReviewsByIdApiArg = /** The review's id */ string;
