//! Who is signed in.

use async_trait::async_trait;
use domain::{AccountId, Caller, SessionId, Text, Timestamp};

use crate::{PasswordHash, StoreError};

/// What the session cookie holds: 256 random bits in URL-safe base64. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct SessionSecret(String);

impl SessionSecret {
    /// Wraps a cookie's value.
    #[must_use]
    pub fn new(value: String) -> Self {
        Self(value)
    }

    /// The cookie's value.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for SessionSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SessionSecret(…)")
    }
}

/// The SHA-256 of a session's secret: what the database holds, and no cookie can be made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SecretHash(pub [u8; 32]);

/// A session to be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSession {
    /// Which one.
    pub id: SessionId,
    /// Whose.
    pub account: AccountId,
    /// What its cookie hashes to.
    pub secret: SecretHash,
    /// The password's hash that was found right, if a password opened the door: it must still be the account's.
    pub proved_by: Option<PasswordHash>,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When it ends by itself.
    pub expires_at: Timestamp,
}

/// What a browser tells about itself when somebody has signed in with it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Browser {
    /// What its owner recognises it by, such as "Firefox on Linux".
    pub device: Option<Text<80>>,
    /// What the session cookie that it had before hashes to.
    pub held: Option<SecretHash>,
}

/// A session that opens something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveSession {
    /// Which one.
    pub id: SessionId,
    /// What its owner recognises it by.
    pub device: Option<Text<80>>,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When it was last used, to within a minute or so.
    pub last_seen_at: Timestamp,
}

/// What became of ending one of an account's sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It has ended.
    Ended,
    /// It had ended before.
    EndedBefore,
    /// The account has no such session.
    Unknown,
}

/// Makes and recognises secrets.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait SessionSecrets: Send + Sync {
    /// A fresh secret from the system's randomness.
    fn fresh(&self) -> SessionSecret;

    /// What a secret hashes to.
    fn hash(&self, secret: &SessionSecret) -> SecretHash;
}

/// Sessions on the server. One that was closed, ran out, stayed unused for longer than [`domain::Role::idle_life`], or whose
/// account was removed is as if it never was.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait SessionRepository: Send + Sync {
    /// Opens a session. `false`, and nothing is opened, if the account was removed, or has another password than the one that
    /// was checked.
    async fn open(&self, session: &NewSession) -> Result<bool, StoreError>;

    /// Notes what browser a session was opened with, and ends the one that the browser held before if it is of the same
    /// account: whoever signs in again has one session there and not two.
    async fn note_browser(&self, secret: &SecretHash, browser: &Browser, at: Timestamp) -> Result<(), StoreError>;

    /// Who a cookie belongs to, with the role of this moment. That it was used is noted, at most once a minute.
    async fn by_secret(&self, secret: &SecretHash, now: Timestamp) -> Result<Option<Caller>, StoreError>;

    /// Who a session belongs to, with the role of this moment. That it was used is noted, at most once a minute.
    async fn by_id(&self, id: SessionId, now: Timestamp) -> Result<Option<Caller>, StoreError>;

    /// Ends a session for good. Again is fine.
    async fn close(&self, id: SessionId, at: Timestamp) -> Result<(), StoreError>;

    /// The sessions of an account, the one used last first.
    async fn list(&self, account: AccountId, now: Timestamp) -> Result<Vec<LiveSession>, StoreError>;

    /// Ends a session, if it is the account's.
    async fn close_of(&self, account: AccountId, id: SessionId, at: Timestamp) -> Result<Ending, StoreError>;

    /// Ends all sessions of an account but one. Answers how many that were.
    async fn close_others(&self, account: AccountId, kept: SessionId, at: Timestamp) -> Result<u64, StoreError>;

    /// Forgets sessions that ended before a moment, at most `limit` of them. Answers how many.
    async fn forget(&self, before: Timestamp, limit: u32) -> Result<u32, StoreError>;
}
