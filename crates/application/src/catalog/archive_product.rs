//! Archiving a product.

use domain::accounts::access::Denied;
use domain::{Caller, Permission, ProductId};
use ports::StoreError;
use thiserror::Error;

use crate::Shop;

/// Why a product was not archived.
#[derive(Debug, Error)]
pub enum ArchiveProductError {
    #[error(transparent)]
    Denied(#[from] Denied),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// Archives a product; orders keep their snapshot of it. Returns whether this call did it.
    ///
    /// # Errors
    /// [`ArchiveProductError`].
    pub async fn archive_product(&self, caller: &Caller, id: ProductId) -> Result<bool, ArchiveProductError> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.products.archive(id, &caller.actor(), self.clock.now()).await?)
    }
}
