//! Restocking and repricing a product.

use domain::accounts::access::Denied;
use domain::{Caller, Permission, ProductId, Stock, UnitPrice};
use ports::{IdempotencyKey, RestockError, Restocking, StoreError};
use thiserror::Error;

use crate::Shop;

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

/// Why a product was not restocked.
#[derive(Debug, Error)]
pub enum RestockProductError {
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The product does not exist or is archived.
    #[error("no such product")]
    Unknown,
    /// The stock would exceed its maximum.
    #[error("more than any shelf holds")]
    TooMuch,
    /// The price changed since the caller saw it.
    #[error("the price has changed")]
    PriceChanged {
        /// The current unit price.
        now: UnitPrice,
    },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// Adds units to a product's stock and sets its price, unless the price changed since the caller saw it.
    ///
    /// # Errors
    /// [`RestockProductError`].
    pub async fn restock_product(&self, caller: &Caller, command: RestockProduct) -> Result<(), RestockProductError> {
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
        self.products.restock(&restocking).await.map_err(|error| match error {
            RestockError::Unknown => RestockProductError::Unknown,
            RestockError::TooMuch => RestockProductError::TooMuch,
            RestockError::PriceChanged { now } => RestockProductError::PriceChanged { now },
            RestockError::Store(error) => error.into(),
        })
    }
}
