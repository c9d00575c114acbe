//! Where reviews are kept.

use async_trait::async_trait;
use domain::{AccountId, Review, ReviewId, Timestamp};
use thiserror::Error;

use crate::{IdempotencyKey, StoreError};

/// A review to be added, and by whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReview {
    /// The review.
    pub review: Review,
    /// Whose it is.
    pub by: AccountId,
    /// The caller's idempotency key, if one was sent.
    pub idempotency_key: Option<IdempotencyKey>,
    /// If set, an account none of whose orders was ever paid may write one review after this moment, and no second one.
    pub one_since: Option<Timestamp>,
}

/// Why a review was not added.
#[derive(Debug, Error)]
pub enum AddReviewError {
    /// The account never paid, and wrote one already.
    #[error("the account has written a review already")]
    TooSoon {
        /// When it wrote its latest.
        last: Timestamp,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A place in the list of reviews: behind the review that was written then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReviewPlace {
    /// When it was written.
    pub at: Timestamp,
    /// Which one it is.
    pub id: ReviewId,
}

/// Reviews of the shop.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait ReviewRepository: Send + Sync {
    /// Adds a review. The same idempotency key again changes nothing and answers the first id, also of a review that was
    /// removed since. Of two calls of one account at the same moment the second sees what the first added.
    async fn add(&self, new: &NewReview) -> Result<ReviewId, AddReviewError>;

    /// The latest reviews, at most `limit` of them, oldest first.
    async fn latest(&self, limit: u32) -> Result<Vec<Review>, StoreError>;

    /// At most `limit` of the reviews behind a place, or from the first on, oldest first.
    async fn after(&self, place: Option<ReviewPlace>, limit: u32) -> Result<Vec<Review>, StoreError>;

    /// The state of all reviews: while it is the same, the list of them is the same.
    async fn state(&self) -> Result<String, StoreError>;

    /// Takes a review out of the lists, and keeps who did it and when. `false` if it was not there.
    async fn remove(&self, id: ReviewId, by: AccountId, at: Timestamp) -> Result<bool, StoreError>;
}
