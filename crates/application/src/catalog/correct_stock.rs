//! Correcting a product's stock, and reading its stock history.

use domain::accounts::access::Denied;
use domain::catalog::stock::{CorrectionReason, StockDelta};
use domain::{Caller, Permission, ProductId, Stock, Text};
use ports::{CorrectStockError as StoreRefused, IdempotencyKey, StockCorrection, StockEvent, StoreError};
use thiserror::Error;

use crate::Shop;

/// How many entries of a product's stock history are returned.
const HISTORY: u32 = 100;

/// A correction of a product's stock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorrectStock {
    pub product: ProductId,
    /// How many units are added or removed.
    pub delta: StockDelta,
    pub reason: CorrectionReason,
    pub note: Option<Text<200>>,
    pub idempotency_key: Option<IdempotencyKey>,
}

/// Why stock was not corrected, or its history not returned.
#[derive(Debug, Error)]
pub enum CorrectStockError {
    #[error(transparent)]
    Denied(#[from] Denied),
    /// No such product.
    #[error("no such product")]
    Unknown,
    /// Fewer units are in stock than the correction would remove.
    #[error("only {left} are left")]
    NotEnough {
        /// The current stock.
        left: Stock,
    },
    /// The stock would exceed its maximum.
    #[error("more than can be in stock")]
    TooMuch,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// Adds units to a product's stock or removes them; never more than there are. Returns the new stock.
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

    /// The changes of a product's stock and price, latest first; also of an archived product.
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
    async fn only_an_admin_corrects_stock_or_reads_its_history() {
        // No repository may be called.
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
