import { generatedReviewsApi } from './api.generated';

const reviewsApi = generatedReviewsApi.enhanceEndpoints({
  endpoints: {
    addReview: { invalidatesTags: (_added, error) => (error ? [] : ['Review']) },
    removeReview: { invalidatesTags: (_removed, error) => (error ? [] : ['Review']) },
  },
});

export const { useAddReviewMutation, useRemoveReviewMutation } = reviewsApi;
