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
