//! Signing out.

use domain::Caller;
use ports::StoreError;

use crate::SigningIn;

impl SigningIn {
    /// Ends the caller's session on the server: its cookie and every token issued for it are invalid from then on.
    /// Idempotent.
    ///
    /// # Errors
    /// [`StoreError`] if the session could not be ended.
    pub async fn log_out(&self, caller: &Caller) -> Result<(), StoreError> {
        self.sessions.close(caller.session, self.clock.now()).await
    }
}
