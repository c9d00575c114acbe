//! A browser's report that a checkout is paid.

use domain::accounts::access::Denied;
use domain::{Caller, CheckoutId, Permission};
use ports::StoredCheckout;

use crate::{Checkouts, Failure, SettlePayment, SettlePaymentRefused};

impl Checkouts {
    /// Treats a browser's report as a hint: queries the provider, and settles the orders that the payment is for if the
    /// provider confirms it. Idempotent.
    ///
    /// # Errors
    /// [`SettlePaymentRefused`]; [`Denied::NotFound`] also if all orders are cancelled.
    pub async fn settle_checkout(
        &self,
        caller: &Caller,
        id: CheckoutId,
        transaction: String,
    ) -> Result<(), Failure<SettlePaymentRefused>> {
        let StoredCheckout { checkout, orders } = self.checkouts.find(id).await?.ok_or(Denied::NotFound)?;
        caller.require_owner(Permission::PayOrder, checkout.customer)?;
        let share = |order: &&domain::Order| !order.is_cancelled();
        let paid = |order: &&domain::Order| order.state.transaction().is_some_and(|id| id.as_str() == transaction);
        let order = orders.iter().find(paid).or_else(|| orders.iter().find(share)).ok_or(Denied::NotFound)?;
        self.payments.settle_payment(caller, SettlePayment { order: order.id, product: None, transaction }).await
    }
}
