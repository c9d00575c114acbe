import { generatedReviewsApi } from './api.generated';

const reviewsApi = generatedReviewsApi.enhanceEndpoints({
  endpoints: {
    addReview: { invalidatesTags: (_added, error) => (error ? [] : ['Review']) },
    // Refusals too say that the list on the screen is old: another admin was here.
    removeReview: { invalidatesTags: ['Review'] },
    restoreReview: { invalidatesTags: ['Review'] },
    listHiddenReviews: { providesTags: ['Review'] },
  },
});

export const {
  useAddReviewMutation,
  useRemoveReviewMutation,
  useRestoreReviewMutation,
  useListHiddenReviewsQuery,
} = reviewsApi;
export const { updateQueryData: updateHiddenReviews } = reviewsApi.util;
