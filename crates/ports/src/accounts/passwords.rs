//! Passwords: hashing them, and counting wrong ones.

use std::time::Duration;

use async_trait::async_trait;
use domain::{ClientNetwork, DeviceId, Email, LoginAttempt, Password, Timestamp};
use thiserror::Error;

use crate::{PasswordHash, StoreError};

/// A password is not hashed now: try again in a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Busy {
    /// Whoever asks has as many waiting as one client may have.
    #[error("this client has too many passwords waiting to be checked")]
    OwnQueue,
    /// The machine cannot.
    #[error("no password can be checked at this moment")]
    Machine,
}

/// Who waits for a hash. Those who wait take turns by this, so that one client's flood keeps nobody else waiting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HashingQueue {
    /// What for.
    pub lane: HashingLane,
    /// From where.
    pub from: ClientNetwork,
}

/// What somebody waits for a hash for. The lanes take turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HashingLane {
    /// Signing in on a device that has signed in to the account before.
    KnownDevice,
    /// Signing in on any other.
    Stranger,
    /// Choosing a password.
    Choosing,
}

/// Hashes passwords on threads of its own, so that a storm of logins cannot starve the rest of the shop.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait PasswordHasher: Send + Sync {
    /// Hashes a password with a fresh salt (argon2id).
    async fn hash(&self, password: &Password, from: ClientNetwork) -> Result<PasswordHash, Busy>;

    /// Whether a typed password is the one that was hashed. Without a hash the answer is no and takes just as long, so
    /// that nobody learns from the time which addresses have accounts.
    async fn verify(&self, typed: &str, hash: Option<PasswordHash>, queue: HashingQueue) -> Result<bool, Busy>;
}

/// A guess that was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LoginAttemptId(i64);

impl LoginAttemptId {
    /// Wraps what the store calls it.
    #[must_use]
    pub const fn new(id: i64) -> Self {
        Self(id)
    }

    /// What the store calls it.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }
}

/// What became of a guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// It may be looked at, and counts as wrong until [`LoginAttempts::forgive`].
    LookAt(LoginAttemptId),
    /// It may not, and none like it for so long.
    Wait(Duration),
}

/// Counts wrong passwords, by the rules of [`domain::accounts::login_limits`].
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait LoginAttempts: Send + Sync {
    /// How long a guess would have to wait; `None` if it would be looked at. Nothing is written, and nobody is waited for.
    async fn retry_after(&self, login_attempt: &LoginAttempt) -> Result<Option<Duration>, StoreError>;

    /// Counts a guess before it is looked at. Guesses that arrive together, at this or another copy of the program, are
    /// counted one after the other, so that no more are looked at than may be. Forgets some of those that count no more.
    async fn count(&self, login_attempt: &LoginAttempt) -> Result<Counted, StoreError>;

    /// The guess was right, or was not looked at after all. Again is fine.
    async fn forgive(&self, login_attempt: LoginAttemptId) -> Result<(), StoreError>;
}

/// Makes and recognises the cookie by which a device is known to have signed in to an account before.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait DeviceCookies: Send + Sync {
    /// The cookie of a device on which somebody has just signed in. `held` is the one that it has, or nothing: by that the
    /// device keeps its id, and a few other accounts that signed in on it stay known.
    fn issue(&self, email: &Email, held: &str, now: Timestamp) -> String;

    /// Which device a cookie names, if the account has signed in on it within a year.
    fn recognise(&self, cookie: &str, email: &Email, now: Timestamp) -> Option<DeviceId>;
}
