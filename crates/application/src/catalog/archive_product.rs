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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use ports::MockProductRepository;

    use super::*;
    use crate::testing::{caller, catalog, now, product};

    fn with(products: MockProductRepository) -> Catalog {
        Catalog { products: Arc::new(products), ..catalog() }
    }

    #[tokio::test]
    async fn archiving_says_whether_this_call_did_it() {
        for did_it in [true, false] {
            let mut products = MockProductRepository::new();
            products
                .expect_archive()
                .withf(|id, by, at| *id == product().id && *by == caller(Role::Admin).actor() && *at == now())
                .times(1)
                .returning(move |_, _, _| Ok(did_it));
            let answer = with(products).archive_product(&caller(Role::Admin), product().id).await;
            assert_eq!(answer.unwrap(), did_it);
        }
    }

    #[tokio::test]
    async fn only_an_admin_archives() {
        let refused = catalog().archive_product(&caller(Role::Customer), product().id).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))), "{refused:?}");
    }

    #[tokio::test]
    async fn restoring_says_whether_this_call_did_it_or_that_there_never_was_such_a_product() {
        for stored in [Some(true), Some(false), None] {
            let mut products = MockProductRepository::new();
            products.expect_restore().withf(|id| *id == product().id).times(1).returning(move |_| Ok(stored));
            let answer = with(products).restore_product(&caller(Role::Admin), product().id).await;
            match stored {
                Some(did_it) => assert_eq!(answer.unwrap(), did_it),
                None => assert!(matches!(answer, Err(Failure::Denied(Denied::NotFound))), "{answer:?}"),
            }
        }
    }

    #[tokio::test]
    async fn a_list_of_archived_products_is_narrowed_as_any_other() {
        let query = ProductQuery { brands: vec!["Acme".to_owned()], ..ProductQuery::default() };
        let expected = ProductQuery { archived: true, ..query.clone() };
        let mut products = MockProductRepository::new();
        products
            .expect_list()
            .withf(move |query| *query == expected)
            .times(1)
            .returning(|_| Ok(Page { items: vec![product()], total: 9, next: None }));
        let page = with(products).archived_products(&caller(Role::Admin), query).await.unwrap();
        let items = vec![FoundProduct { product: product(), via: None, fit: None }];
        assert_eq!(page, Page { items, total: 9, next: None });
    }
}
