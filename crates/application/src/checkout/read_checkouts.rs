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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use ports::{MockAccountRepository, MockCheckoutRepository};

    use super::*;
    use crate::Ports;
    use crate::checkout::tests::checkout;
    use crate::testing::{caller, checkouts_on, credentials, ports};

    const OWN: &str = "customer@example.com";

    fn page() -> Page<StoredCheckout, CheckoutId> {
        let stored = StoredCheckout { checkout: checkout(None, Vec::new()), orders: Vec::new() };
        Page { items: vec![stored], total: 1, next: None }
    }

    fn searched() -> CheckoutQuery {
        CheckoutQuery { search: Some("disc".to_owned()), ..CheckoutQuery::default() }
    }

    /// A shop with one account, in which only this list may be read.
    fn listing(query: CheckoutQuery) -> Checkouts {
        let mut accounts = MockAccountRepository::new();
        accounts.expect_by_email().returning(|email| Ok((email.as_str() == OWN).then(|| credentials(OWN))));
        let mut checkouts = MockCheckoutRepository::new();
        checkouts.expect_list().withf(move |asked| *asked == query).returning(|_| Ok(page()));
        checkouts_on(&Ports { accounts: Arc::new(accounts), checkouts: Arc::new(checkouts), ..ports() })
    }

    #[tokio::test]
    async fn an_accounts_checkouts_are_listed_for_it_and_for_an_admin_and_for_nobody_else() {
        let own = Some(credentials(OWN).account.id);
        let service = listing(CheckoutQuery { customer: own, ..searched() });
        for role in [Role::Customer, Role::Admin] {
            assert_eq!(service.checkouts_of(&caller(role), OWN, searched()).await.unwrap(), page());
        }
        let others = "other@example.com";
        assert_eq!(service.checkouts_of(&caller(Role::Admin), others, searched()).await.unwrap(), Page::empty(0));
        let refused = service.checkouts_of(&caller(Role::Customer), others, searched()).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))), "{refused:?}");
    }

    #[tokio::test]
    async fn only_an_admin_lists_the_checkouts_of_all() {
        let service = listing(searched());
        assert_eq!(service.all_checkouts(&caller(Role::Admin), &searched()).await.unwrap(), page());
        let refused = service.all_checkouts(&caller(Role::Customer), &searched()).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))), "{refused:?}");
    }
}
