//! Subscribing to the newsletter, and leaving it.

use domain::Email;
use ports::StoreError;

use crate::Accounts;

impl Accounts {
    /// Subscribes an address to the newsletter. Idempotent.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn subscribe(&self, email: &Email) -> Result<(), StoreError> {
        self.newsletter.subscribe(email, self.clock.now()).await
    }

    /// Removes an address from the newsletter. Idempotent.
    ///
    /// Whoever knows an address can do it: a newsletter too few harms nobody, and proof would cost its owner an e-mail.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn unsubscribe(&self, email: &Email) -> Result<(), StoreError> {
        self.newsletter.unsubscribe(email).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ports::MockNewsletterRepository;

    use super::*;
    use crate::testing::{accounts, now};

    fn on(newsletter: MockNewsletterRepository) -> Accounts {
        Accounts { newsletter: Arc::new(newsletter), ..accounts() }
    }

    #[tokio::test]
    async fn an_address_is_subscribed_to_the_newsletter_and_removed_from_it() {
        let nia: Email = "nia@example.com".parse().unwrap();
        let mut newsletter = MockNewsletterRepository::new();
        newsletter
            .expect_subscribe()
            .times(1)
            .withf(|email, at| (email.as_str(), *at) == ("nia@example.com", now()))
            .returning(|_, _| Ok(()));
        on(newsletter).subscribe(&nia).await.unwrap();
        let mut newsletter = MockNewsletterRepository::new();
        newsletter
            .expect_unsubscribe()
            .times(1)
            .withf(|email| email.as_str() == "nia@example.com")
            .returning(|_| Ok(()));
        on(newsletter).unsubscribe(&nia).await.unwrap();
    }

    #[tokio::test]
    async fn a_subscription_that_was_not_stored_is_reported() {
        let nia: Email = "nia@example.com".parse().unwrap();
        let gone = || Err(StoreError::Unavailable("gone".into()));
        let mut newsletter = MockNewsletterRepository::new();
        newsletter.expect_subscribe().returning(move |_, _| gone());
        newsletter.expect_unsubscribe().returning(move |_| gone());
        let accounts = on(newsletter);
        assert!(matches!(accounts.subscribe(&nia).await, Err(StoreError::Unavailable(_))));
        assert!(matches!(accounts.unsubscribe(&nia).await, Err(StoreError::Unavailable(_))));
    }
}
