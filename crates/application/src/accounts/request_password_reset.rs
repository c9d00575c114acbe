//! Requesting an e-mail with a link to set another password.

use domain::Email;
use domain::notifications::delivery::Topic;
use ports::StoreError;

use crate::AccountLinks;

impl AccountLinks {
    /// Queues the password-reset e-mail for an address. Does the same whether or not the address has an account, so
    /// that neither the response nor its timing reveals which addresses have one.
    ///
    /// # Errors
    /// [`StoreError`] if the request could not be recorded.
    pub async fn request_password_reset(&self, email: &Email) -> Result<(), StoreError> {
        self.outbox.request_email(Topic::AccountReset, email, self.clock.now()).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ports::MockOutbox;

    use super::*;
    use crate::testing::{account_links, now};

    #[tokio::test]
    async fn a_password_reset_request_looks_up_no_account() {
        let mut outbox = MockOutbox::new();
        outbox
            .expect_request_email()
            .withf(|topic, to, at| (*topic, to.as_str(), *at) == (Topic::AccountReset, "nia@example.com", now()))
            .times(1)
            .returning(|_, _, _| Ok(()));
        // The account repository's mock panics on any call.
        let account_links = AccountLinks { outbox: Arc::new(outbox), ..account_links() };
        account_links.request_password_reset(&"nia@example.com".parse().unwrap()).await.unwrap();
    }
}
