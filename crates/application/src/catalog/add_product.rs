//! Adding a product.

use domain::{Caller, PartRefused, Permission, Product, ProductDetails, ProductId};
use ports::{IdempotencyKey, NewProduct};

use crate::{Catalog, Failure};

impl Catalog {
    /// Adds a product.
    ///
    /// # Errors
    /// [`PartRefused`].
    pub async fn add_product(
        &self,
        caller: &Caller,
        details: ProductDetails,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Result<ProductId, Failure<PartRefused>> {
        caller.require(Permission::ManageProducts)?;
        let product = Product { id: ProductId::new(self.ids.fresh()), details, created_at: self.clock.now() };
        Ok(self.products.add(&NewProduct { product, by: caller.actor(), idempotency_key }).await?)
    }
}
