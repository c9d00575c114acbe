//! Adding a product.

use domain::{Caller, Permission, Product, ProductDetails, ProductId};
use ports::{IdempotencyKey, NewProduct};

use crate::{Catalog, Failure};

impl Catalog {
    /// Adds a product.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn add_product(
        &self,
        caller: &Caller,
        details: ProductDetails,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Result<ProductId, Failure> {
        caller.require(Permission::ManageProducts)?;
        let product = Product { id: ProductId::new(self.ids.fresh()), details, created_at: self.clock.now() };
        Ok(self.products.add(&NewProduct { product, by: caller.actor(), idempotency_key }).await?)
    }
}
