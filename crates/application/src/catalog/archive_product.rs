//! Archiving products, listing archived ones and bringing them back.

use domain::accounts::access::Denied;
use domain::{Caller, Permission, ProductId};
use ports::{Page, ProductCursor, ProductQuery};

use crate::{Catalog, Failure, FoundProduct};

impl Catalog {
    /// Archives a product; orders keep their snapshot of it. Returns whether this call did it.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn archive_product(&self, caller: &Caller, id: ProductId) -> Result<bool, Failure> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.products.archive(id, &caller.actor(), self.clock.now()).await?)
    }

    /// Puts an archived product up for sale again, as it was. Returns whether this call did it.
    ///
    /// # Errors
    /// [`Denied::NotFound`] if there never was such a product.
    pub async fn restore_product(&self, caller: &Caller, id: ProductId) -> Result<bool, Failure> {
        caller.require(Permission::ManageProducts)?;
        self.products.restore(id).await?.ok_or(Denied::NotFound.into())
    }

    /// The archived products that match.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn archived_products(
        &self,
        caller: &Caller,
        query: ProductQuery,
    ) -> Result<Page<FoundProduct, ProductCursor>, Failure> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.browse_products(&ProductQuery { archived: true, ..query }).await?)
    }
}
