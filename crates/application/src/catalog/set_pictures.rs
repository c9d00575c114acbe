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
    use std::sync::Arc;

    use domain::Role;
    use ports::MockProductRepository;

    use super::*;
    use crate::testing::{caller, catalog, product};

    #[tokio::test]
    async fn setting_pictures_says_whether_it_changed_something_or_that_the_product_is_not_for_sale() {
        for stored in [Some(true), Some(false), None] {
            let pictures = Pictures::new(vec!["/pictures/disc.webp".parse().unwrap()]).unwrap();
            let expected = pictures.clone();
            let mut products = MockProductRepository::new();
            products
                .expect_set_pictures()
                .withf(move |id, pictures| *id == product().id && *pictures == expected)
                .times(1)
                .returning(move |_, _| Ok(stored));
            let catalog = Catalog { products: Arc::new(products), ..catalog() };
            let answer = catalog.set_pictures(&caller(Role::Admin), product().id, &pictures).await;
            match stored {
                Some(changed) => assert_eq!(answer.unwrap(), changed),
                None => assert!(matches!(answer, Err(Failure::Denied(Denied::NotFound))), "{answer:?}"),
            }
        }
    }

    #[tokio::test]
    async fn only_an_admin_sets_pictures() {
        let pictures = Pictures::new(vec![product().details.img]).unwrap();
        // No repository may be called.
        let refused = catalog().set_pictures(&caller(Role::Customer), product().id, &pictures).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
    }
}
