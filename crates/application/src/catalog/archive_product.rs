//! Archiving a product.

use domain::{Caller, Permission, ProductId};

use crate::{Catalog, Failure};

impl Catalog {
    /// Archives a product; orders keep their snapshot of it. Returns whether this call did it.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn archive_product(&self, caller: &Caller, id: ProductId) -> Result<bool, Failure> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.products.archive(id, &caller.actor(), self.clock.now()).await?)
    }
}
