//! The cart of an account.

use async_trait::async_trait;
use domain::{AccountId, BasketLine, Timestamp};

use crate::StoreError;

/// A cart as the store has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cart {
    /// Counts its changes; 0 of one that was never saved.
    pub version: i64,
    /// Its lines, each product once.
    pub lines: Vec<BasketLine>,
}

/// What accounts are about to order. A cart holds no stock.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait CartRepository: Send + Sync {
    /// An account's cart; an empty one of version 0 if none was saved. Read from the server that accepts writes.
    async fn cart(&self, account: AccountId) -> Result<Cart, StoreError>;

    /// Replaces a cart whose version is still the one that was seen, and returns its new version. `None` if it is another, and
    /// nothing is changed: of two calls at once that saw the same version one succeeds.
    async fn save(
        &self,
        account: AccountId,
        seen: i64,
        lines: &[BasketLine],
        at: Timestamp,
    ) -> Result<Option<i64>, StoreError>;
}
