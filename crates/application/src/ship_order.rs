//! Shipping an order.

use domain::access::Denied;
use domain::order::ShipRefused;
use domain::{Caller, OrderId, Permission};
use ports::{Applied, StoreError};
use thiserror::Error;

use crate::Shop;
use crate::shop::ROUNDS;

/// Why an order was not shipped.
#[derive(Debug, Error)]
pub enum ShipOrderError {
    /// The caller is no admin, or the order was cancelled or never was.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// Its money was sent back.
    #[error("a refunded order cannot be shipped")]
    Refunded,
    /// It changed again and again meanwhile.
    #[error("the order is changing too fast")]
    TooBusy,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// Ships an order; an unpaid one on account. Answers whether this call did it; `false` if it had left before.
    ///
    /// # Errors
    /// [`ShipOrderError`].
    pub async fn ship_order(&self, caller: &Caller, id: OrderId) -> Result<bool, ShipOrderError> {
        caller.ask(Permission::ShipOrder)?;
        for _ in 0..ROUNDS {
            let order = self.orders.find(id).await?.ok_or(Denied::Absent)?;
            let change = match order.ship(self.stamp(caller.actor())) {
                Ok(change) => change,
                Err(ShipRefused::Shipped) => return Ok(false),
                Err(ShipRefused::Cancelled) => return Err(Denied::Absent.into()),
                Err(ShipRefused::Refunded) => return Err(ShipOrderError::Refunded),
            };
            if self.orders.apply(&change).await? == Applied::Written {
                return Ok(true);
            }
        }
        Err(ShipOrderError::TooBusy)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Happening, Role};
    use ports::MockOrderStore;

    use super::*;
    use crate::testing::{caller, customers_order, holding, paid_order, shop};

    #[tokio::test]
    async fn only_an_admin_ships() {
        let refused = shop().ship_order(&caller(Role::Customer), customers_order().id).await;
        assert!(matches!(refused, Err(ShipOrderError::Denied(Denied::Forbidden))));
    }

    #[tokio::test]
    async fn the_timeline_tells_whether_an_order_left_on_account() {
        for (order, expected) in [(customers_order(), true), (paid_order(), false)] {
            let id = order.id;
            let mut orders = holding(&order);
            orders
                .expect_apply()
                .withf(move |change| change.event.happening == Happening::Shipped { on_account: expected })
                .returning(|_| Ok(Applied::Written));
            let shop = Shop { orders: Arc::new(orders), ..shop() };
            assert!(shop.ship_order(&caller(Role::Admin), id).await.unwrap());
        }
    }

    #[tokio::test]
    async fn shipping_again_changes_nothing() {
        let shipped = paid_order().ship(shop().stamp(domain::Actor::Shop)).unwrap().after;
        let id = shipped.id;
        let shop = Shop { orders: Arc::new(holding(&shipped)), ..shop() };
        assert!(!shop.ship_order(&caller(Role::Admin), id).await.unwrap());
    }

    #[tokio::test]
    async fn a_change_in_between_is_judged_anew() {
        let mut orders = MockOrderStore::new();
        let cancelled = customers_order().cancel(shop().stamp(domain::Actor::Shop)).unwrap().after;
        orders.expect_find().times(1).returning(|_| Ok(Some(customers_order())));
        orders.expect_apply().times(1).returning(|_| Ok(Applied::Stale));
        orders.expect_find().returning(move |_| Ok(Some(cancelled.clone())));
        let shop = Shop { orders: Arc::new(orders), ..shop() };
        let refused = shop.ship_order(&caller(Role::Admin), customers_order().id).await;
        assert!(matches!(refused, Err(ShipOrderError::Denied(Denied::Absent))));
    }
}
