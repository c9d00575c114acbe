//! Asking for the newsletter.

use domain::Email;
use ports::StoreError;

use crate::Shop;

impl Shop {
    /// Notes an address for the newsletter, once, however often it is given.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn subscribe(&self, email: &Email) -> Result<(), StoreError> {
        self.newsletter.subscribe(email, self.clock.now()).await
    }
}
