//! Correcting a product's stock, and reading its stock history.

use domain::accounts::access::Denied;
use domain::catalog::stock::{CorrectionReason, StockDelta};
use domain::{Caller, CorrectStockRefused, Permission, ProductId, Stock, Text};
use ports::{IdempotencyKey, StockCorrection, StockEvent};

use crate::{Catalog, Failure};

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

impl Catalog {
    /// Adds units to a product's stock or removes them; never more than there are. Returns the new stock.
    ///
    /// # Errors
    /// [`CorrectStockRefused`].
    pub async fn correct_stock(
        &self,
        caller: &Caller,
        command: CorrectStock,
    ) -> Result<Stock, Failure<CorrectStockRefused>> {
        caller.require(Permission::ManageProducts)?;
        let CorrectStock { product, delta, reason, note, idempotency_key } = command;
        let correction =
            StockCorrection { product, delta, reason, note, by: caller.actor(), at: self.clock.now(), idempotency_key };
        Ok(self.products.correct(&correction).await?)
    }

    /// The changes of a product's stock and price, latest first; also of an archived product.
    ///
    /// # Errors
    /// [`Denied::NotFound`] if there never was such a product.
    pub async fn stock_history(&self, caller: &Caller, id: ProductId) -> Result<Vec<StockEvent>, Failure> {
        caller.require(Permission::ManageProducts)?;
        self.products.stock_history(id, HISTORY).await?.ok_or(Denied::NotFound.into())
    }
}

#[cfg(test)]
mod tests {
    use domain::Role;

    use super::*;
    use crate::testing::{caller, catalog, product};

    #[tokio::test]
    async fn only_an_admin_corrects_stock_or_reads_its_history() {
        // No repository may be called.
        let catalog = catalog();
        let command = CorrectStock {
            product: product().id,
            delta: StockDelta::new(-1).unwrap(),
            reason: CorrectionReason::Breakage,
            note: None,
            idempotency_key: None,
        };
        let refused = catalog.correct_stock(&caller(Role::Customer), command).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
        let refused = catalog.stock_history(&caller(Role::Customer), product().id).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
    }
}
