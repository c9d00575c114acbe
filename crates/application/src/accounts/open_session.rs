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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ports::{MockAccountRepository, MockDeviceCookies, MockSessionRepository, MockSessionSecrets, SecretHash};

    use super::*;
    use crate::testing::{credentials, now, signing_in};

    fn nia() -> Account {
        credentials("nia@example.com").account
    }

    fn hash(phc: &str) -> PasswordHash {
        PasswordHash::new(phc.into())
    }

    fn signed_in(proved_by: Option<PasswordHash>) -> SignedIn {
        SignedIn { account: nia(), secret: SessionSecret::new("secret".into()), lasts: SESSION_LIFE, proved_by }
    }

    /// Device cookies that are issued only for this password, to a browser whose cookie was `held`.
    fn issued_for(phc: &str) -> Arc<MockDeviceCookies> {
        let known = DeviceAccount { email: nia().email, password: Some(hash(phc)) };
        let mut cookies = MockDeviceCookies::new();
        cookies
            .expect_issue()
            .times(1)
            .withf(move |account, held, at| *account == known && held == "held" && *at == now())
            .returning(|_, _, _| "cookie".into());
        Arc::new(cookies)
    }

    #[tokio::test]
    async fn a_session_and_its_cookie_last_thirty_days() {
        let thirty_days = Duration::from_hours(720);
        let mut secrets = MockSessionSecrets::new();
        secrets.expect_fresh().returning(|| SessionSecret::new("secret".into()));
        secrets.expect_hash().returning(|_| SecretHash([7; 32]));
        let mut sessions = MockSessionRepository::new();
        sessions
            .expect_open()
            .times(1)
            .withf(move |session| (session.opened_at, session.expires_at) == (now(), later(now(), thirty_days)))
            .returning(|_| Ok(true));
        let signing_in = SigningIn { session_secrets: Arc::new(secrets), sessions: Arc::new(sessions), ..signing_in() };
        let opened = signing_in.open_session(nia(), Some(hash("phc"))).await.unwrap().unwrap();
        assert_eq!(opened.lasts, thirty_days);
        assert_eq!(opened, signed_in(Some(hash("phc"))));
    }

    #[tokio::test]
    async fn a_device_is_known_by_the_password_that_was_proved_on_it() {
        // The account repository's mock panics on any call: the account may have another password by now.
        let signing_in = SigningIn { device_cookies: issued_for("proved"), ..signing_in() };
        let cookie = signing_in.device_cookie(&signed_in(Some(hash("proved"))), "held").await;
        assert_eq!(cookie.as_deref(), Some("cookie"));
    }

    #[tokio::test]
    async fn a_device_that_proved_no_password_is_known_by_the_accounts_own() {
        let mut accounts = MockAccountRepository::new();
        accounts.expect_by_email().times(1).returning(|email| Ok(Some(credentials(email.as_str()))));
        let device_cookies = issued_for("phc");
        let signing_in = SigningIn { accounts: Arc::new(accounts), device_cookies, ..signing_in() };
        let cookie = signing_in.device_cookie(&signed_in(None), "held").await;
        assert_eq!(cookie.as_deref(), Some("cookie"));
    }

    #[tokio::test]
    async fn a_device_stays_unknown_if_the_account_cannot_be_read() {
        let mut accounts = MockAccountRepository::new();
        accounts.expect_by_email().returning(|_| Err(StoreError::Unavailable("gone".into())));
        let signing_in = SigningIn { accounts: Arc::new(accounts), ..signing_in() };
        assert_eq!(signing_in.device_cookie(&signed_in(None), "held").await, None);
    }
}
