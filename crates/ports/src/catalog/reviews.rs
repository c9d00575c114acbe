//! Review repository.

use async_trait::async_trait;
use domain::{AccountId, Email, ProductId, RatingTotal, Review, ReviewId, ReviewedRecently, Timestamp};

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

/// A review that was removed from the lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HiddenReview {
    /// The review.
    pub review: Review,
    /// When it was removed.
    pub at: Timestamp,
    /// Who removed it.
    pub by: Email,
}

/// Reviews of the shop.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait ReviewRepository: Send + Sync {
    /// Adds a review. Repeating the call with the same idempotency key changes nothing and returns the first id, even
    /// if that review has been removed. Of two concurrent calls of one account the second sees what the first added.
    async fn add(&self, new: &NewReview) -> Result<ReviewId, WriteError<ReviewedRecently>>;

    /// The latest reviews, at most `limit` of them, oldest first.
    async fn latest(&self, limit: u32) -> Result<Vec<Review>, StoreError>;

    /// At most `limit` reviews after a cursor, or from the first one, oldest first.
    async fn after(&self, place: Option<ReviewCursor>, limit: u32) -> Result<Vec<Review>, StoreError>;

    /// The latest reviews of a part, at most `limit` of them, oldest first.
    async fn latest_of(&self, part: ProductId, limit: u32) -> Result<Vec<Review>, StoreError>;

    /// The stars of all reviews of a part.
    async fn rating_of(&self, part: ProductId) -> Result<RatingTotal, StoreError>;

    /// Whether an account has paid for an order that was not cancelled, of this part if one is named. A refund of an order
    /// that was shipped does not undo it.
    async fn has_bought(&self, account: AccountId, part: Option<ProductId>) -> Result<bool, StoreError>;

    /// The reviews that were removed, at most `limit` of them, the one that was removed last first.
    async fn hidden(&self, limit: u32) -> Result<Vec<HiddenReview>, StoreError>;

    /// A version of all reviews: while it is unchanged, so is the list.
    async fn state(&self) -> Result<String, StoreError>;

    /// Removes a review from the lists and records who did it and when. `false` if it was not there.
    async fn remove(&self, id: ReviewId, by: AccountId, at: Timestamp) -> Result<bool, StoreError>;

    /// Puts a removed review back into the lists, at its old place. `false` if it was not removed.
    async fn restore(&self, id: ReviewId) -> Result<bool, StoreError>;
}
