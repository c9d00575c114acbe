//! Seeing where one is signed in, and ending it.

use std::time::Duration;

use domain::accounts::access::Denied;
use domain::{Caller, SessionId, Text};
use ports::{Browser, Ending, LiveSession, SessionSecret, StoreError};
use thiserror::Error;

use crate::platform::forget::Forgotten;
use crate::shop::earlier;
use crate::{Shop, SignedIn};

/// How long a session that has ended is kept: whoever asks why they were signed out can still be answered.
const KEPT: Duration = Duration::from_hours(7 * 24);

/// Why sessions were not shown or ended.
#[derive(Debug, Error)]
pub enum SessionError {
    /// The caller may not, or has no such session.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// The caller's live sessions, the one used last first.
    ///
    /// # Errors
    /// [`SessionError`].
    pub async fn sessions(&self, caller: &Caller) -> Result<Vec<LiveSession>, SessionError> {
        Ok(self.sessions.list(caller.account, self.clock.now()).await?)
    }

    /// Ends one of the caller's sessions. `false` if it had ended before.
    ///
    /// # Errors
    /// [`SessionError`].
    pub async fn end_session(&self, caller: &Caller, id: SessionId) -> Result<bool, SessionError> {
        match self.sessions.close_of(caller.account, id, self.clock.now()).await? {
            Ending::Ended => Ok(true),
            Ending::EndedBefore => Ok(false),
            Ending::Unknown => Err(Denied::NotFound.into()),
        }
    }

    /// Ends all of the caller's sessions but the one that asks. Answers how many.
    ///
    /// # Errors
    /// [`SessionError`].
    pub async fn end_other_sessions(&self, caller: &Caller) -> Result<u64, SessionError> {
        Ok(self.sessions.close_others(caller.account, caller.session, self.clock.now()).await?)
    }

    /// Notes with which browser somebody has just signed in, and ends the session of the same account that the browser held.
    /// The sign-in stands whether or not that succeeds.
    pub async fn note_browser(&self, signed_in: &SignedIn, device: Option<Text<80>>, held: Option<&SessionSecret>) {
        let browser = Browser { device, held: held.map(|secret| self.session_secrets.hash(secret)) };
        let secret = self.session_secrets.hash(&signed_in.secret);
        if let Err(error) = self.sessions.note_browser(&secret, &browser, self.clock.now()).await {
            tracing::warn!(%error, "the browser of a sign-in could not be noted");
        }
    }

    /// Forgets sessions that ended some time ago, in bites. Answers how many.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed; what was forgotten until then is.
    pub async fn forget_old_sessions(&self) -> Result<Forgotten, StoreError> {
        let before = earlier(self.clock.now(), KEPT);
        self.forget_what_is_old(|bite| self.sessions.forget(before, bite)).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use ports::MockSessionRepository;

    use super::*;
    use crate::testing::{caller, now, shop};

    #[tokio::test]
    async fn somebody_elses_session_is_not_there() {
        let mut sessions = MockSessionRepository::new();
        sessions.expect_close_of().returning(|_, _, _| Ok(Ending::Unknown));
        let shop = Shop { sessions: Arc::new(sessions), ..shop() };
        let customer = caller(Role::Customer);
        let refused = shop.end_session(&customer, customer.session).await;
        assert!(matches!(refused, Err(SessionError::Denied(Denied::NotFound))));
    }

    #[tokio::test]
    async fn sessions_are_forgotten_a_week_after_they_ended() {
        let mut sessions = MockSessionRepository::new();
        sessions
            .expect_forget()
            .times(1)
            .withf(|before, _| *before == earlier(now(), Duration::from_hours(168)))
            .returning(|_, _| Ok(3));
        let shop = Shop { sessions: Arc::new(sessions), ..shop() };
        assert_eq!(shop.forget_old_sessions().await.unwrap(), Forgotten(3));
    }
}
