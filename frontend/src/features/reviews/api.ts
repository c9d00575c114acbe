import { generatedReviewsApi } from './api.generated';

const reviewsApi = generatedReviewsApi.enhanceEndpoints({
  endpoints: {
    postReviews: { invalidatesTags: (_added, error) => (error ? [] : ['Review']) },
    deleteReviewsById: { invalidatesTags: (_removed, error) => (error ? [] : ['Review']) },
  },
});

export const {
  usePostReviewsMutation: useAddReviewMutation,
  useDeleteReviewsByIdMutation: useRemoveReviewMutation,
} = reviewsApi;
