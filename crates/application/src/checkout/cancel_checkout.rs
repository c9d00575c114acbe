//! Cancelling the unpaid orders of a checkout.

use domain::accounts::access::Denied;
use domain::orders::order::Change;
use domain::orders::refusals::CancelRefused;
use domain::{Actor, Caller, CheckoutId, Order, Permission};
use ports::{Applied, StoredCheckout};

use crate::change_order::{Attempt, until_written};
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
            self.cancel_unpaid(orders, &caller.actor()).await
        })
        .await
    }

    /// Cancels those of the orders that can be.
    pub(crate) async fn cancel_unpaid(
        &self,
        orders: Vec<Order>,
        by: &Actor,
    ) -> Result<Attempt<usize>, Failure<CancelRefused>> {
        let standing: Vec<Order> = orders.into_iter().filter(|order| !order.is_cancelled()).collect();
        let mut refused = None;
        let mut changes: Vec<Change> = Vec::new();
        for order in &standing {
            match order.clone().cancel(self.events.meta(by.clone())) {
                Ok(change) => changes.push(change),
                Err(why) => refused = Some(why),
            }
        }
        if changes.is_empty() {
            return refused.map_or(Ok(Attempt::Done(0)), |why| Err(Failure::Refused(why)));
        }
        for change in &changes {
            self.payments.stop_payments(&change.after).await?;
        }
        if self.order_repository.apply_all(&changes, None).await? == Applied::Conflict {
            return Ok(Attempt::Conflict);
        }
        // A payment may have been opened in between. If cancelling it fails here, the reconciler does it.
        for change in &changes {
            if let Err(error) = self.payments.stop_payments(&change.after).await {
                tracing::warn!(order = %change.after.id, %error, "a cancelled order's payment is left to the reconciler");
            }
        }
        Ok(Attempt::Done(changes.len()))
    }
}
