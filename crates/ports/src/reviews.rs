//! Where reviews are kept.

use async_trait::async_trait;
use domain::{AccountId, Review, ReviewId};

use crate::{IdempotencyKey, StoreError};

/// Reviews of the shop.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait ReviewStore: Send + Sync {
    /// Adds a review by an account. The same idempotency key again changes nothing and answers the first id.
    async fn add(&self, review: &Review, by: AccountId, once: Option<IdempotencyKey>) -> Result<ReviewId, StoreError>;

    /// The latest reviews, at most `limit` of them or all, oldest first.
    async fn latest(&self, limit: Option<u32>) -> Result<Vec<Review>, StoreError>;
}
