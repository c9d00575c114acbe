//! Correcting a product's stock: breakage, a miscount, and what there was of that.

use domain::accounts::access::Denied;
use domain::catalog::stock::{CorrectionReason, StockDelta};
use domain::{Caller, Permission, ProductId, Stock, Text};
use ports::{CorrectStockError as StoreRefused, IdempotencyKey, StockCorrection, StockEvent, StoreError};
use thiserror::Error;

use crate::Shop;

/// How much of a product's history is shown.
const HISTORY: u32 = 100;

/// What was counted anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorrectStock {
    /// Which product.
    pub product: ProductId,
    /// How many units come or go.
    pub delta: StockDelta,
    /// Why.
    pub reason: CorrectionReason,
    /// What else there is to say about it.
    pub note: Option<Text<200>>,
    /// The caller's idempotency key, if one was sent.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// Why stock was not corrected, or its history not shown.
#[derive(Debug, Error)]
pub enum CorrectStockError {
    /// The caller is no admin.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// No such product.
    #[error("no such product")]
    Unknown,
    /// Fewer are there than would go.
    #[error("only {left} are left")]
    NotEnough {
        /// What is left.
        left: Stock,
    },
    /// More than there can be.
    #[error("more than can be in stock")]
    TooMuch,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// Adds units to a product's stock or takes them away, for a reason; never more than are there. Answers what is there
    /// then.
    ///
    /// # Errors
    /// [`CorrectStockError`].
    pub async fn correct_stock(&self, caller: &Caller, command: CorrectStock) -> Result<Stock, CorrectStockError> {
        caller.require(Permission::ManageProducts)?;
        let CorrectStock { product, delta, reason, note, idempotency_key } = command;
        let correction =
            StockCorrection { product, delta, reason, note, by: caller.actor(), at: self.clock.now(), idempotency_key };
        self.products.correct(&correction).await.map_err(|error| match error {
            StoreRefused::Unknown => CorrectStockError::Unknown,
            StoreRefused::NotEnough { left } => CorrectStockError::NotEnough { left },
            StoreRefused::TooMuch => CorrectStockError::TooMuch,
            StoreRefused::Store(error) => error.into(),
        })
    }

    /// What was done to a product's stock and price, latest first; an archived one's too.
    ///
    /// # Errors
    /// [`CorrectStockError`].
    pub async fn stock_history(&self, caller: &Caller, id: ProductId) -> Result<Vec<StockEvent>, CorrectStockError> {
        caller.require(Permission::ManageProducts)?;
        self.products.stock_history(id, HISTORY).await?.ok_or(CorrectStockError::Unknown)
    }
}

#[cfg(test)]
mod tests {
    use domain::Role;

    use super::*;
    use crate::testing::{caller, product, shop};

    #[tokio::test]
    async fn only_an_admin_corrects_stock_or_sees_what_was_corrected() {
        // No store may be asked for anything.
        let shop = shop();
        let command = CorrectStock {
            product: product().id,
            delta: StockDelta::new(-1).unwrap(),
            reason: CorrectionReason::Breakage,
            note: None,
            idempotency_key: None,
        };
        let refused = shop.correct_stock(&caller(Role::Customer), command).await;
        assert!(matches!(refused, Err(CorrectStockError::Denied(Denied::Forbidden))));
        let refused = shop.stock_history(&caller(Role::Customer), product().id).await;
        assert!(matches!(refused, Err(CorrectStockError::Denied(Denied::Forbidden))));
    }
}
