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
    /// The hash of the password that was proved; `None` if it was none.
    pub(crate) proved_by: Option<PasswordHash>,
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
            proved_by: proved_by.clone(),
            opened_at,
            expires_at: later(opened_at, SESSION_LIFE),
        };
        let opened = self.sessions.open(&session).await?;
        Ok(opened.then_some(SignedIn { account, secret, lasts: SESSION_LIFE, proved_by }))
    }

    /// The cookie that identifies the device from now on, after a sign-in on it. `held` is the device's current cookie. `None` if it
    /// could not be made: the device is a stranger's then, and nothing else is different.
    pub async fn device_cookie(&self, signed_in: &SignedIn, held: &str) -> Option<String> {
        let email = &signed_in.account.email;
        // The one that was proved, if it was one: by now there may be another, which is none of this device's business.
        let account = match &signed_in.proved_by {
            Some(password) => Ok(DeviceAccount { email: email.clone(), password: Some(password.clone()) }),
            None => self.device_account(email).await,
        };
        match account {
            Ok(account) => Some(self.known_device(&account, held)),
            Err(error) => {
                tracing::warn!(%error, "a device could not be made known");
                None
            }
        }
    }

    /// The cookie that identifies a device to an account from now on.
    #[must_use]
    pub fn known_device(&self, account: &DeviceAccount, held: &str) -> String {
        self.device_cookies.issue(account, held, self.clock.now())
    }

    /// The account of an address, as devices are known to it.
    pub(crate) async fn device_account(&self, email: &Email) -> Result<DeviceAccount, StoreError> {
        let password = self.accounts.by_email(email).await?.and_then(|found| found.password);
        Ok(DeviceAccount { email: email.clone(), password })
    }
}
