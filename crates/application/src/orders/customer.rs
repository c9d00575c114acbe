//! What an admin sees of one customer.

use domain::accounts::access::Denied;
use domain::{Account, Caller, Email, Permission};
use ports::CustomerTotals;

use crate::{Failure, Orders};

/// An account, and what it has ordered and paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Customer {
    pub account: Account,
    pub totals: CustomerTotals,
}

impl Orders {
    /// The account with this address, and what it has ordered and paid.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin, and if there is no such account.
    pub async fn customer(&self, caller: &Caller, address: &str) -> Result<Customer, Failure> {
        caller.require(Permission::ListAccounts)?;
        let account = self.account_at(address).await?;
        let totals = self.orders.totals_of(account.id).await?;
        Ok(Customer { account, totals })
    }

    /// The account with this address that has not been removed.
    pub(super) async fn account_at(&self, address: &str) -> Result<Account, Failure> {
        let email: Email = address.parse().map_err(|_| Denied::NotFound)?;
        let found = self.accounts.by_email(&email).await?.filter(|found| !found.removed);
        Ok(found.ok_or(Denied::NotFound)?.account)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use ports::{Credentials, MockAccountRepository, MockOrderRepository};

    use super::*;
    use crate::Ports;
    use crate::testing::{caller, credentials, orders_on, ports};

    fn service(removed: bool) -> Orders {
        let mut accounts = MockAccountRepository::new();
        accounts.expect_by_email().returning(move |email| {
            let found = Credentials { removed, ..credentials("nia@example.com") };
            Ok((email.as_str() == "nia@example.com").then_some(found))
        });
        let mut orders = MockOrderRepository::new();
        orders
            .expect_totals_of()
            .withf(|of| *of == credentials("nia@example.com").account.id)
            .returning(|_| Ok(CustomerTotals { spent_cents: 700, ..CustomerTotals::default() }));
        orders_on(Ports { accounts: Arc::new(accounts), orders: Arc::new(orders), ..ports() })
    }

    #[tokio::test]
    async fn an_admin_reads_a_customer_by_address_and_nobody_else_does() {
        let found = service(false).customer(&caller(Role::Admin), "NIA@example.com").await.unwrap();
        assert_eq!((found.account.email.as_str(), found.totals.spent_cents), ("nia@example.com", 700));
        let refused = service(false).customer(&caller(Role::Customer), "nia@example.com").await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
    }

    #[tokio::test]
    async fn an_account_that_is_not_there_is_not_found() {
        for (removed, address) in [(false, "nobody@example.com"), (false, "no address"), (true, "nia@example.com")] {
            let refused = service(removed).customer(&caller(Role::Admin), address).await;
            assert!(matches!(refused, Err(Failure::Denied(Denied::NotFound))), "{address}");
        }
    }
}
