//! Opening a session.

use std::time::Duration;

use domain::{Account, Email, SessionId};
use ports::{NewSession, PasswordHash, SessionSecret, StoreError};

use crate::SigningIn;
use crate::platform::moments::later;

/// How long a session lasts unless it is ended.
const SESSION_LIFE: Duration = Duration::from_hours(30 * 24);

/// A user who has just signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedIn {
    pub account: Account,
    /// The value of the session cookie.
    pub secret: SessionSecret,
    /// The lifetime of the cookie.
    pub lasts: Duration,
}

impl SigningIn {
    /// Opens a session for a user who has proved their identity; `proved_by` is the password hash if they used a
    /// password. `None` if the account was removed or its password changed in the meantime.
    pub(crate) async fn open_session(
        &self,
        account: Account,
        proved_by: Option<PasswordHash>,
    ) -> Result<Option<SignedIn>, StoreError> {
        let secret = self.session_secrets.fresh();
        let opened_at = self.clock.now();
        let session = NewSession {
            id: SessionId::new(self.ids.fresh()),
            account: account.id,
            secret: self.session_secrets.hash(&secret),
            proved_by,
            opened_at,
            expires_at: later(opened_at, SESSION_LIFE),
        };
        let opened = self.sessions.open(&session).await?;
        Ok(opened.then_some(SignedIn { account, secret, lasts: SESSION_LIFE }))
    }

    /// The cookie that identifies the device from now on, after a sign-in on it. `held` is the device's current cookie.
    #[must_use]
    pub fn device_cookie(&self, email: &Email, held: &str) -> String {
        self.device_cookies.issue(email, held, self.clock.now())
    }
}
