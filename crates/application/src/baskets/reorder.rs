//! Ordering again what was ordered once.

use domain::accounts::access::Denied;
use domain::{BasketLine, Caller, CheckoutId, Order, OrderId, Permission, Units};

use crate::baskets::check::PricedBy;
use crate::baskets::row::CheckedRow;
use crate::{Baskets, Failure};

impl Baskets {
    /// Checks what an order of the caller's was for as a quick order; also if the order was cancelled. Nothing is ordered.
    ///
    /// # Errors
    /// [`Failure::Denied`] if the caller has no such order.
    pub async fn reorder(&self, caller: &Caller, id: OrderId) -> Result<Vec<CheckedRow>, Failure> {
        let order = self.orders.find(id).await?.ok_or(Denied::NotFound)?;
        caller.require_owner(Permission::KeepBasket, order.customer)?;
        Ok(self.check_lines(caller, &lines(&[order]), PricedBy::Orderable).await?)
    }

    /// The same for all lines of a checkout of the caller's.
    ///
    /// # Errors
    /// [`Failure::Denied`] if the caller has no such checkout.
    pub async fn reorder_checkout(&self, caller: &Caller, id: CheckoutId) -> Result<Vec<CheckedRow>, Failure> {
        let found = self.checkouts.find(id).await?.ok_or(Denied::NotFound)?;
        caller.require_owner(Permission::KeepBasket, found.checkout.customer)?;
        Ok(self.check_lines(caller, &lines(&found.orders), PricedBy::Orderable).await?)
    }
}

fn lines(orders: &[Order]) -> Vec<BasketLine> {
    let line = |order: &Order| {
        // Every quantity of an order is one that somebody may ask for.
        let units = Units::new(i64::from(order.item.quantity.get())).ok()?;
        Some(BasketLine { product: order.item.product, units, shown: None })
    };
    orders.iter().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{AccountId, ProductId, Quantity, Role, RowStatus};
    use uuid::Uuid;

    use super::*;
    use crate::Ports;
    use crate::baskets::check::tests::{baskets, id, part, selling};
    use crate::checkout::tests::{cancelled, checkout, holding as holding_checkout};
    use crate::testing::{caller, customers_order, holding, ports};

    fn order_of(product: u128, units: i64) -> Order {
        let mut order = customers_order();
        order.item.product = id(product);
        order.item.quantity = Quantity::new(units).unwrap();
        order
    }

    fn rows(checked: &[CheckedRow]) -> Vec<(RowStatus, Option<ProductId>, u32)> {
        checked.iter().map(|row| (row.status, row.for_sale(), row.quantity)).collect()
    }

    #[tokio::test]
    async fn whatever_was_ordered_once_is_checked_again_even_if_it_was_cancelled() {
        let orders = [cancelled(order_of(4, 60)), order_of(5, 70)];
        let found = checkout(None, Vec::new());
        let baskets = baskets(&Ports {
            checkouts: Arc::new(holding_checkout(&found, &orders)),
            orders: Arc::new(holding(&orders[0])),
            products: Arc::new(selling(vec![part(4), part(5)], Vec::new())),
            ..ports()
        });
        let (first, second) = ((RowStatus::Ok, Some(id(4)), 60), (RowStatus::Ok, Some(id(5)), 70));
        let customer = caller(Role::Customer);
        assert_eq!(rows(&baskets.reorder(&customer, orders[0].id).await.unwrap()), [first]);
        assert_eq!(rows(&baskets.reorder_checkout(&customer, found.id).await.unwrap()), [first, second]);
        let other = Caller { account: AccountId::new(Uuid::from_u128(77)), ..customer };
        let refused = baskets.reorder_checkout(&other, found.id).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::NotFound))));
    }
}
