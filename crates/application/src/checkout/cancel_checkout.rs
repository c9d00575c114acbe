//! Cancelling the unpaid orders of a checkout.

use domain::accounts::access::Denied;
use domain::orders::refusals::CancelRefused;
use domain::{Caller, CheckoutId, Permission};
use ports::StoredCheckout;

use crate::change_order::until_written;
use crate::{Checkouts, Failure};

impl Checkouts {
    /// Cancels the orders of a checkout that are neither paid, shipped nor cancelled, all at once: their open payment is
    /// cancelled first, then their units return to stock. Returns how many; 0 if none was left.
    ///
    /// # Errors
    /// [`CancelRefused::Paid`] if the orders that stand are paid; [`CancelRefused::Shipped`] if they are shipped.
    pub async fn cancel_checkout(&self, caller: &Caller, id: CheckoutId) -> Result<usize, Failure<CancelRefused>> {
        until_written(|| async {
            let StoredCheckout { checkout, orders } = self.checkouts.find(id).await?.ok_or(Denied::NotFound)?;
            caller.require_owner(Permission::CancelOrder, checkout.customer)?;
            self.orders.cancel_unpaid(orders, &caller.actor()).await
        })
        .await
    }
}
