import { generatedReviewsApi } from './api.generated';

const reviewsApi = generatedReviewsApi.enhanceEndpoints({
  endpoints: {
    addReview: { invalidatesTags: (_added, error) => (error ? [] : ['Review']) },
    removeReview: { invalidatesTags: (_removed, error) => (error ? [] : ['Review']) },
    restoreReview: { invalidatesTags: (_restored, error) => (error ? [] : ['Review']) },
    listHiddenReviews: { providesTags: ['Review'] },
  },
});

export const {
  useAddReviewMutation,
  useRemoveReviewMutation,
  useRestoreReviewMutation,
  useListHiddenReviewsQuery,
} = reviewsApi;
