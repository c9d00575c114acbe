//! Reading checkouts.

use domain::accounts::access::Denied;
use domain::{Caller, CheckoutId, Permission};
use ports::{CheckoutQuery, Page, StoredCheckout};

use crate::{Checkouts, Failure};

impl Checkouts {
    /// One checkout with its orders.
    ///
    /// # Errors
    /// [`Denied::NotFound`] also for another account's, unless the caller is an admin.
    pub async fn checkout(&self, caller: &Caller, id: CheckoutId) -> Result<StoredCheckout, Failure> {
        let stored = self.checkouts.find(id).await?.ok_or(Denied::NotFound)?;
        caller.require_owner(Permission::ReadOrder, stored.checkout.customer)?;
        Ok(stored)
    }

    /// The checkouts of the account with this address, newest first; empty if there is no such account.
    ///
    /// # Errors
    /// [`Failure::Denied`] for another's, unless the caller is an admin.
    pub async fn checkouts_of(
        &self,
        caller: &Caller,
        email: &str,
        query: CheckoutQuery,
    ) -> Result<Page<StoredCheckout, CheckoutId>, Failure> {
        caller.require_self(Permission::ListOrdersOf, email)?;
        let customer = self.orders.account_of(email).await?;
        let Some(customer) = customer else { return Ok(Page::empty(0)) };
        Ok(self.checkouts.list(&CheckoutQuery { customer: Some(customer), ..query }).await?)
    }

    /// All checkouts that match, newest first.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn all_checkouts(
        &self,
        caller: &Caller,
        query: &CheckoutQuery,
    ) -> Result<Page<StoredCheckout, CheckoutId>, Failure> {
        caller.require(Permission::ListAllOrders)?;
        Ok(self.checkouts.list(query).await?)
    }
}
