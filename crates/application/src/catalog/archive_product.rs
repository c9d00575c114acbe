//! Taking a product out of the shop.

use domain::accounts::access::Denied;
use domain::{Caller, Permission, ProductId};
use ports::StoreError;
use thiserror::Error;

use crate::Shop;

/// Why a product was not archived.
#[derive(Debug, Error)]
pub enum ArchiveProductError {
    /// The caller is no admin.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// Archives a product; orders keep their snapshot. Answers whether this call did it.
    ///
    /// # Errors
    /// [`ArchiveProductError`].
    pub async fn archive_product(&self, caller: &Caller, id: ProductId) -> Result<bool, ArchiveProductError> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.products.archive(id, &caller.actor(), self.clock.now()).await?)
    }
}
