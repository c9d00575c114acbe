import { api } from '@/api/api';
import type { Inserted, NewReview } from '@/api/types';

const reviewsApi = api.injectEndpoints({
  endpoints: (build) => ({
    addReview: build.mutation<Inserted, { review: NewReview; key: string }>({
      query: ({ review, key }) => ({
        url: '/reviews',
        method: 'POST',
        body: review,
        idempotencyKey: key,
      }),
      invalidatesTags: (_added, error) => (error ? [] : ['Review']),
    }),
  }),
});

export const { useAddReviewMutation } = reviewsApi;
