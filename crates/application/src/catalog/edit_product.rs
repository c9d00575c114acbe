//! Editing a product.

use domain::{Caller, EditRefused, Permission, ProductEdit, ProductId};
use ports::Editing;

use crate::{Catalog, Failure};

/// New values for some attributes of a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditProduct {
    pub product: ProductId,
    /// The new values.
    pub wanted: ProductEdit,
    /// The values that the caller saw, if they sent them.
    pub seen: ProductEdit,
}

impl Catalog {
    /// Edits a product, unless somebody else changed one of the edited attributes since the caller saw it; orders keep
    /// their snapshot. Returns whether this call changed something.
    ///
    /// # Errors
    /// [`EditRefused`].
    pub async fn edit_product(&self, caller: &Caller, command: EditProduct) -> Result<bool, Failure<EditRefused>> {
        caller.require(Permission::ManageProducts)?;
        let EditProduct { product, wanted, seen } = command;
        let editing = Editing { product, wanted, seen, by: caller.actor(), at: self.clock.now() };
        Ok(self.products.edit(&editing).await?)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::accounts::access::Denied;
    use domain::{Role, Text};
    use ports::MockProductRepository;

    use super::*;
    use crate::testing::{caller, catalog, now, product};

    fn named(name: &str) -> ProductEdit {
        ProductEdit { name: Some(Text::new(name).unwrap()), ..ProductEdit::default() }
    }

    #[tokio::test]
    async fn an_admins_edit_is_written_as_it_came_and_says_whether_it_changed_something() {
        for changed in [true, false] {
            let command = EditProduct { product: product().id, wanted: named("Mine"), seen: named("Yours") };
            let expected = Editing {
                product: product().id,
                wanted: named("Mine"),
                seen: named("Yours"),
                by: caller(Role::Admin).actor(),
                at: now(),
            };
            let mut products = MockProductRepository::new();
            products.expect_edit().withf(move |editing| *editing == expected).times(1).returning(move |_| Ok(changed));
            let catalog = Catalog { products: Arc::new(products), ..catalog() };
            assert_eq!(catalog.edit_product(&caller(Role::Admin), command).await.unwrap(), changed);
        }
    }

    #[tokio::test]
    async fn only_an_admin_edits_or_restores_a_product_or_sees_archived_ones() {
        // No repository may be called.
        let (catalog, customer) = (catalog(), caller(Role::Customer));
        let command =
            EditProduct { product: product().id, wanted: ProductEdit::default(), seen: ProductEdit::default() };
        let refused = catalog.edit_product(&customer, command).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
        let refused = catalog.restore_product(&customer, product().id).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
        let refused = catalog.archived_products(&customer, ports::ProductQuery::default()).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
    }
}
