//! Subscribing to the newsletter.

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
}
