//! Sessions.

use async_trait::async_trait;
use domain::{AccountId, Caller, SessionId, Text, Timestamp};

use crate::platform::secret_text::secret_text;
use crate::{PasswordHash, StoreError};

secret_text! {
    /// The value of the session cookie: 256 random bits in URL-safe base64.
    SessionSecret
}

/// The SHA-256 of a session's secret or of an e-mailed link's token, as stored. Neither a cookie nor a link can be made
/// from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SecretHash(pub [u8; 32]);

/// A session to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSession {
    /// The session's id.
    pub id: SessionId,
    /// The account that it belongs to.
    pub account: AccountId,
    /// The hash of its cookie's value.
    pub secret: SecretHash,
    /// The password hash that was verified, if a password was used to sign in: it must still be the account's.
    pub proved_by: Option<PasswordHash>,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// The browser that a session was opened with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Browser {
    /// A description that the account's owner recognises, such as "Firefox on Linux".
    pub device: Option<Text<80>>,
    /// The hash of the session cookie that the browser had before.
    pub held: Option<SecretHash>,
}

/// A session that is neither closed nor expired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveSession {
    /// The session's id.
    pub id: SessionId,
    /// A description of the browser that the account's owner recognises.
    pub device: Option<Text<80>>,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When it was last used, to within about a minute.
    pub last_seen_at: Timestamp,
}

/// The result of ending one of an account's sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It was ended.
    Ended,
    /// It had already ended.
    EndedBefore,
    /// The account has no such session.
    Unknown,
}

/// Generates and hashes session secrets.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
pub trait SessionSecrets: Send + Sync {
    /// A new secret from the system's random number generator.
    fn fresh(&self) -> SessionSecret;

    /// The hash of a secret.
    fn hash(&self, secret: &SessionSecret) -> SecretHash;
}

/// Sessions on the server. A session that was closed, has expired, was idle for longer than
/// [`domain::Role::idle_life`], or belongs to a removed account is treated as if it did not exist.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait SessionRepository: Send + Sync {
    /// Opens a session. `false`, and none is opened, if the account was removed or has another password than the one
    /// that was verified.
    async fn open(&self, session: &NewSession) -> Result<bool, StoreError>;

    /// Records the browser of a session, and ends the session that this browser had before if it belongs to the same
    /// account: signing in again does not leave two sessions in one browser.
    async fn note_browser(&self, secret: &SecretHash, browser: &Browser, at: Timestamp) -> Result<(), StoreError>;

    /// The caller that a cookie belongs to, with the account's current role. Records the use, at most once a minute.
    async fn by_secret(&self, secret: &SecretHash, now: Timestamp) -> Result<Option<Caller>, StoreError>;

    /// The same, but never from what is remembered of an earlier call.
    async fn by_secret_now(&self, secret: &SecretHash, now: Timestamp) -> Result<Option<Caller>, StoreError> {
        self.by_secret(secret, now).await
    }

    /// The caller that a session belongs to, with the account's current role. Records the use, at most once a minute.
    async fn by_id(&self, id: SessionId, now: Timestamp) -> Result<Option<Caller>, StoreError>;

    /// The same, but never from what is remembered of an earlier call.
    async fn by_id_now(&self, id: SessionId, now: Timestamp) -> Result<Option<Caller>, StoreError> {
        self.by_id(id, now).await
    }

    /// Ends a session. Idempotent.
    async fn close(&self, id: SessionId, at: Timestamp) -> Result<(), StoreError>;

    /// The account's live sessions, last used first.
    async fn list(&self, account: AccountId, now: Timestamp) -> Result<Vec<LiveSession>, StoreError>;

    /// Ends a session, if it belongs to the account.
    async fn close_of(&self, account: AccountId, id: SessionId, at: Timestamp) -> Result<Ending, StoreError>;

    /// Ends all sessions of an account except one. Returns how many.
    async fn close_others(&self, account: AccountId, kept: SessionId, at: Timestamp) -> Result<u64, StoreError>;

    /// Deletes at most `limit` sessions that ended before a moment. Returns how many.
    async fn forget(&self, before: Timestamp, limit: u32) -> Result<u32, StoreError>;
}
