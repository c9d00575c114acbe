//! What products cost the caller.

use domain::{AccountId, Product, ProductId, UnitPrice};
use ports::StoreError;

use crate::Baskets;

/// The prices of several products, for one account and moment.
pub(super) struct Prices;

impl Prices {
    /// Of no product.
    pub(super) const fn none() -> Self {
        Self
    }

    /// The price of one unit at a quantity.
    #[expect(clippy::unused_self, reason = "prices are going to depend on the caller")]
    pub(super) fn unit(&self, product: &Product, _quantity: u32) -> UnitPrice {
        product.details.price
    }
}

impl Baskets {
    #[expect(clippy::unused_async, reason = "prices are going to be read")]
    /// However many products there are, a fixed number of statements.
    pub(super) async fn prices(&self, _account: AccountId, _products: &[ProductId]) -> Result<Prices, StoreError> {
        Ok(Prices)
    }
}
