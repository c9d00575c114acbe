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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use ports::MockSessionRepository;

    use super::*;
    use crate::testing::{caller, now, signing_in};

    #[tokio::test]
    async fn signing_out_ends_the_callers_session_on_the_server() {
        let mut sessions = MockSessionRepository::new();
        sessions
            .expect_close()
            .times(1)
            .withf(|id, at| (*id, *at) == (caller(Role::Customer).session, now()))
            .returning(|_, _| Ok(()));
        let signing_in = SigningIn { sessions: Arc::new(sessions), ..signing_in() };
        signing_in.log_out(&caller(Role::Customer)).await.unwrap();
    }
}
