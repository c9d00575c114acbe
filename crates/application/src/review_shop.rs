//! Writing a review.

use domain::access::Denied;
use domain::{Caller, Permission, Rating, Review, ReviewId, Text};
use ports::{IdempotencyKey, StoreError};
use thiserror::Error;

use crate::Shop;

/// What somebody thinks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewDraft {
    /// The name they sign with.
    pub name: Text<80>,
    /// What they write.
    pub details: Text<2000>,
    /// Stars.
    pub rating: Rating,
}

/// Why a review was not written.
#[derive(Debug, Error)]
pub enum WriteReviewError {
    /// The caller may not.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// Adds a review.
    ///
    /// # Errors
    /// [`WriteReviewError`].
    pub async fn write_review(
        &self,
        caller: &Caller,
        draft: ReviewDraft,
        once: Option<IdempotencyKey>,
    ) -> Result<ReviewId, WriteReviewError> {
        caller.ask(Permission::WriteReview)?;
        let review = Review {
            id: ReviewId::new(self.ids.fresh()),
            name: draft.name,
            details: draft.details,
            rating: draft.rating,
            created_at: self.clock.now(),
        };
        Ok(self.reviews.add(&review, caller.account, once).await?)
    }
}
