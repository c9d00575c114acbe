//! Restocking and repricing a product.

use domain::{Caller, Permission, ProductId, RestockRefused, Stock, UnitPrice};
use ports::{IdempotencyKey, Restocking};

use crate::{Catalog, Failure};

/// A delivery of units, and the new price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RestockProduct {
    pub product: ProductId,
    /// How many units are added.
    pub arriving: Stock,
    /// The new unit price.
    pub price: UnitPrice,
    /// The unit price that the caller saw, if they sent it.
    pub seen_price: Option<UnitPrice>,
    pub idempotency_key: Option<IdempotencyKey>,
}

impl Catalog {
    /// Adds units to a product's stock and sets its price, unless the price changed since the caller saw it.
    ///
    /// # Errors
    /// [`RestockRefused`].
    pub async fn restock_product(
        &self,
        caller: &Caller,
        command: RestockProduct,
    ) -> Result<(), Failure<RestockRefused>> {
        caller.require(Permission::ManageProducts)?;
        let restocking = Restocking {
            product: command.product,
            arriving: command.arriving,
            price: command.price,
            seen_price: command.seen_price,
            by: caller.actor(),
            at: self.clock.now(),
            idempotency_key: command.idempotency_key,
        };
        Ok(self.products.restock(&restocking).await?)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use domain::accounts::access::Denied;
    use ports::MockProductRepository;

    use super::*;
    use crate::testing::{caller, catalog, now, product};

    fn command() -> RestockProduct {
        RestockProduct {
            product: product().id,
            arriving: Stock::new(70).unwrap(),
            price: UnitPrice::from_dollars(9.5).unwrap(),
            seen_price: Some(product().details.price),
            idempotency_key: None,
        }
    }

    #[tokio::test]
    async fn an_admins_delivery_is_written_as_it_came() {
        let mut products = MockProductRepository::new();
        let written = |restocking: &Restocking| {
            let sent = command();
            *restocking
                == Restocking {
                    product: sent.product,
                    arriving: sent.arriving,
                    price: sent.price,
                    seen_price: sent.seen_price,
                    by: caller(Role::Admin).actor(),
                    at: now(),
                    idempotency_key: None,
                }
        };
        products.expect_restock().times(1).withf(written).returning(|_| Ok(()));
        let catalog = Catalog { products: Arc::new(products), ..catalog() };
        catalog.restock_product(&caller(Role::Admin), command()).await.unwrap();
    }

    #[tokio::test]
    async fn only_an_admin_restocks() {
        let refused = catalog().restock_product(&caller(Role::Customer), command()).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))), "{refused:?}");
    }
}
