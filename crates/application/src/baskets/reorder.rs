//! Ordering again what was ordered once.

use domain::accounts::access::Denied;
use domain::{BasketLine, Caller, CheckoutId, Order, OrderId, Permission, Units};

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
        Ok(self.check_lines(caller, &lines(&[order])).await?)
    }

    /// The same for all lines of a checkout of the caller's.
    ///
    /// # Errors
    /// [`Failure::Denied`] if the caller has no such checkout.
    pub async fn reorder_checkout(&self, caller: &Caller, id: CheckoutId) -> Result<Vec<CheckedRow>, Failure> {
        let found = self.checkouts.find(id).await?.ok_or(Denied::NotFound)?;
        caller.require_owner(Permission::KeepBasket, found.checkout.customer)?;
        Ok(self.check_lines(caller, &lines(&found.orders)).await?)
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
