//! Review repository.

use async_trait::async_trait;
use domain::{AccountId, Review, ReviewId, ReviewedRecently, Timestamp};

use crate::{IdempotencyKey, StoreError, WriteError};

/// A review to be added, and its author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReview {
    /// The review.
    pub review: Review,
    /// The author's account.
    pub by: AccountId,
    /// The request's idempotency key, if it sent one.
    pub idempotency_key: Option<IdempotencyKey>,
    /// If set, an account without any paid order may write only one review after this moment.
    pub one_since: Option<Timestamp>,
}

/// A cursor in the list of reviews: after the review with this date and id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReviewCursor {
    /// When that review was written.
    pub at: Timestamp,
    /// The id of that review.
    pub id: ReviewId,
}

/// Reviews of the shop.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait ReviewRepository: Send + Sync {
    /// Adds a review. Repeating the call with the same idempotency key changes nothing and returns the first id, even
    /// if that review has been removed. Of two concurrent calls of one account the second sees what the first added.
    async fn add(&self, new: &NewReview) -> Result<ReviewId, WriteError<ReviewedRecently>>;

    /// The latest reviews, at most `limit` of them, oldest first.
    async fn latest(&self, limit: u32) -> Result<Vec<Review>, StoreError>;

    /// At most `limit` reviews after a cursor, or from the first one, oldest first.
    async fn after(&self, place: Option<ReviewCursor>, limit: u32) -> Result<Vec<Review>, StoreError>;

    /// A version of all reviews: while it is unchanged, so is the list.
    async fn state(&self) -> Result<String, StoreError>;

    /// Removes a review from the lists and records who did it and when. `false` if it was not there.
    async fn remove(&self, id: ReviewId, by: AccountId, at: Timestamp) -> Result<bool, StoreError>;
}
