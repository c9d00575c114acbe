//! Opening a session.

use std::time::Duration;

use domain::{Account, Email, SessionId};
use ports::{DeviceAccount, NewSession, PasswordHash, SessionSecret, StoreError};

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

    /// The cookie that identifies the device from now on, after its user has proved to be the account's. `held` is the device's
    /// current cookie. `None` if it could not be made: the device is a stranger's then, and nothing else is different.
    pub async fn device_cookie(&self, email: &Email, held: &str) -> Option<String> {
        match self.device_account(email).await {
            Ok(account) => Some(self.device_cookies.issue(&account, held, self.clock.now())),
            Err(error) => {
                tracing::warn!(%error, "a device could not be made known");
                None
            }
        }
    }

    /// The account of an address, as devices are known to it.
    pub(crate) async fn device_account(&self, email: &Email) -> Result<DeviceAccount, StoreError> {
        let password = self.accounts.by_email(email).await?.and_then(|found| found.password);
        Ok(DeviceAccount { email: email.clone(), password })
    }
}
