//! Restocking and repricing a product.

use domain::accounts::access::Denied;
use domain::{Caller, Permission, ProductId, Stock, UnitPrice};
use ports::{IdempotencyKey, RestockError, Restocking, StoreError};
use thiserror::Error;

use crate::Shop;

/// What arrives, and what it costs from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RestockProduct {
    /// Which product.
    pub product: ProductId,
    /// How many units arrive.
    pub arriving: Stock,
    /// What one unit costs from now on.
    pub price: UnitPrice,
    /// What one unit cost when the caller looked, if they say so.
    pub seen_price: Option<UnitPrice>,
    /// The caller's idempotency key, if one was sent.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// Why a product was not restocked.
#[derive(Debug, Error)]
pub enum RestockProductError {
    /// The caller is no admin.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// No such product is for sale.
    #[error("no such product")]
    Unknown,
    /// More than a shelf can hold.
    #[error("more than any shelf holds")]
    TooMuch,
    /// Somebody else has set another price since the caller looked.
    #[error("the price has changed")]
    PriceChanged {
        /// What one unit costs now.
        now: UnitPrice,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// Adds units to a product's stock and sets its price, unless that has moved since the caller looked.
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
