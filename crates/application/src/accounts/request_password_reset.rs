//! Asking for a letter by which another password can be chosen.

use domain::Email;
use domain::notifications::delivery::Topic;
use ports::StoreError;

use crate::Shop;

impl Shop {
    /// Notes that whoever reads an address's mail wants another password. Does the same whether or not the address has an
    /// account, so that nobody learns which addresses have one, neither from the answer nor from how long it takes.
    ///
    /// # Errors
    /// [`StoreError`] if the wish could not be written down.
    pub async fn ask_for_password_reset(&self, email: &Email) -> Result<(), StoreError> {
        self.outbox.request_email(Topic::AccountReset, email, self.clock.now()).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ports::MockOutbox;

    use super::*;
    use crate::testing::{now, shop};

    #[tokio::test]
    async fn nobody_is_looked_up_when_a_password_was_forgotten() {
        let mut outbox = MockOutbox::new();
        outbox
            .expect_request_email()
            .withf(|topic, to, at| (*topic, to.as_str(), *at) == (Topic::AccountReset, "nia@example.com", now()))
            .times(1)
            .returning(|_, _, _| Ok(()));
        // The accounts' mock would panic if it were asked anything.
        let shop = Shop { outbox: Arc::new(outbox), ..shop() };
        shop.ask_for_password_reset(&"nia@example.com".parse().unwrap()).await.unwrap();
    }
}
