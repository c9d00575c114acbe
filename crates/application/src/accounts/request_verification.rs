//! Requesting another e-mail to confirm one's address.

use domain::Caller;
use domain::notifications::delivery::Topic;

use crate::accounts::my_account::AccountRemoved;
use crate::{AccountLinks, Failure};

impl AccountLinks {
    /// Queues another e-mail that asks the caller to confirm their address. Does nothing if the account is proved.
    ///
    /// # Errors
    /// [`AccountRemoved`].
    pub async fn request_verification(&self, caller: &Caller) -> Result<(), Failure<AccountRemoved>> {
        let account = self.accounts.find(caller.account).await?.ok_or(Failure::Refused(AccountRemoved))?;
        if account.proved_at.is_some() {
            return Ok(());
        }
        Ok(self.outbox.request_email(Topic::AccountVerify, &account.email, self.clock.now()).await?)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Account, Role};
    use ports::{MockAccountRepository, MockOutbox};

    use super::*;
    use crate::testing::{account_links, caller, credentials, now};

    #[tokio::test]
    async fn a_verified_address_is_sent_nothing() {
        let mut accounts = MockAccountRepository::new();
        accounts
            .expect_find()
            .returning(|_| Ok(Some(Account { proved_at: Some(now()), ..credentials("customer@example.com").account })));
        // The outbox's mock panics if an e-mail is requested.
        let account_links = AccountLinks { accounts: Arc::new(accounts), ..account_links() };
        account_links.request_verification(&caller(Role::Customer)).await.unwrap();
    }

    #[tokio::test]
    async fn an_email_goes_to_the_accounts_own_address() {
        let mut accounts = MockAccountRepository::new();
        accounts.expect_find().returning(|_| Ok(Some(credentials("customer@example.com").account)));
        let mut outbox = MockOutbox::new();
        outbox
            .expect_request_email()
            .withf(|topic, to, _| (*topic, to.as_str()) == (Topic::AccountVerify, "customer@example.com"))
            .times(1)
            .returning(|_, _, _| Ok(()));
        let account_links = AccountLinks { accounts: Arc::new(accounts), outbox: Arc::new(outbox), ..account_links() };
        account_links.request_verification(&caller(Role::Customer)).await.unwrap();
    }
}
