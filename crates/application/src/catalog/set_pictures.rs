//! Setting the pictures of a product.

use domain::accounts::access::Denied;
use domain::{Caller, Permission, Pictures, ProductId};

use crate::{Catalog, Failure};

impl Catalog {
    /// Replaces the pictures of a product; orders keep theirs. Returns whether this call changed something.
    ///
    /// # Errors
    /// [`Denied::NotFound`] if the product is not for sale.
    pub async fn set_pictures(&self, caller: &Caller, id: ProductId, pictures: &Pictures) -> Result<bool, Failure> {
        caller.require(Permission::ManageProducts)?;
        self.products.set_pictures(id, pictures).await?.ok_or(Denied::NotFound.into())
    }
}

#[cfg(test)]
mod tests {
    use domain::Role;

    use super::*;
    use crate::testing::{caller, catalog, product};

    #[tokio::test]
    async fn only_an_admin_sets_pictures() {
        let pictures = Pictures::new(vec![product().details.img]).unwrap();
        // No repository may be called.
        let refused = catalog().set_pictures(&caller(Role::Customer), product().id, &pictures).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
    }
}
