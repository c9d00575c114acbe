//! Restocking and repricing a product.

use domain::{Caller, Permission, ProductId, RestockRefused, Stock, UnitPrice};
use ports::{IdempotencyKey, Restocking};

use crate::{Catalog, Failure};

/// A delivery of units, and the new price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RestockProduct {
    pub product: ProductId,
    /// How many units are added.
    pub arriving: Stock,
    /// The new unit price.
    pub price: UnitPrice,
    /// The unit price that the caller saw, if they sent it.
    pub seen_price: Option<UnitPrice>,
    pub idempotency_key: Option<IdempotencyKey>,
}

impl Catalog {
    /// Adds units to a product's stock and sets its price, unless the price changed since the caller saw it.
    ///
    /// # Errors
    /// [`RestockRefused`].
    pub async fn restock_product(
        &self,
        caller: &Caller,
        command: RestockProduct,
    ) -> Result<(), Failure<RestockRefused>> {
        caller.require(Permission::ManageProducts)?;
        let restocking = Restocking {
            product: command.product,
            arriving: command.arriving,
            price: command.price,
            seen_price: command.seen_price,
            by: caller.actor(),
            at: self.clock.now(),
            idempotency_key: command.idempotency_key,
        };
        Ok(self.products.restock(&restocking).await?)
    }
}
