//! Password hashing, and counting failed logins.

use std::time::Duration;

use async_trait::async_trait;
use domain::{ClientNetwork, DeviceId, Email, LoginAttempt, Password, Timestamp};
use thiserror::Error;

use crate::{PasswordHash, StoreError};

/// Why no password is hashed now: retry in a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Busy {
    /// The client has as many hashes waiting as one client may have.
    #[error("this client has too many passwords waiting to be checked")]
    OwnQueue,
    /// The server has no capacity.
    #[error("no password can be checked at this moment")]
    Machine,
}

/// The queue in which a caller waits for a hash. Queues are served round-robin, so that many requests from one client
/// do not delay others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HashingQueue {
    /// The purpose of the hash.
    pub lane: HashingLane,
    /// The client's network.
    pub from: ClientNetwork,
}

/// The purpose of a hash. Lanes are served round-robin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HashingLane {
    /// Signing in on a known device: one that has signed in to the account before.
    KnownDevice,
    /// Signing in on an unknown device.
    Stranger,
    /// Setting a password.
    Choosing,
}

/// Hashes passwords on dedicated threads, so that a burst of logins does not starve the rest of the shop.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait PasswordHasher: Send + Sync {
    /// Hashes a password with a fresh salt (argon2id).
    async fn hash(&self, password: &Password, from: ClientNetwork) -> Result<PasswordHash, Busy>;

    /// Whether an entered password matches the hash. Without a hash the result is `false` after the same time, so that
    /// the response time does not reveal which addresses have accounts.
    async fn verify(&self, typed: &str, hash: Option<PasswordHash>, queue: HashingQueue) -> Result<bool, Busy>;
}

/// Id of a login attempt that was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LoginAttemptId(i64);

impl LoginAttemptId {
    /// Wraps the store's id.
    #[must_use]
    pub const fn new(id: i64) -> Self {
        Self(id)
    }

    /// The store's id.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }
}

/// The result of counting a login attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// The password may be checked. The attempt counts as failed until [`LoginAttempts::forgive`].
    Check(LoginAttemptId),
    /// The password may not be checked, and neither may any such attempt for this long.
    Wait(Duration),
}

/// Counts failed logins, by the rules of [`domain::accounts::login_limits`].
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait LoginAttempts: Send + Sync {
    /// How long a login attempt would have to wait; `None` if its password may be checked. Read-only and without locks.
    async fn retry_after(&self, login_attempt: &LoginAttempt) -> Result<Option<Duration>, StoreError>;

    /// Counts a login attempt before its password is checked. Concurrent attempts, on this instance or another, are
    /// counted one after the other, so that no more passwords are checked than allowed. Also deletes some attempts that
    /// no longer count.
    async fn count(&self, login_attempt: &LoginAttempt) -> Result<Counted, StoreError>;

    /// Removes an attempt from the count: the password was right, or was not checked after all. Idempotent.
    async fn forgive(&self, login_attempt: LoginAttemptId) -> Result<(), StoreError>;
}

/// The account that a device is known to. With another password it is another's: whoever signed in before no longer is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceAccount {
    /// Its address.
    pub email: Email,
    /// The hash of its password; `None` without an account or a password.
    pub password: Option<PasswordHash>,
}

/// Issues and verifies the cookies that identify known devices: devices that have signed in to an account before.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
pub trait DeviceCookies: Send + Sync {
    /// The cookie for a device on which the account has just signed in. `held` is the device's current cookie, or
    /// empty: it keeps the device's id, and keeps a few other accounts known that have signed in there.
    fn issue(&self, account: &DeviceAccount, held: &str, now: Timestamp) -> String;

    /// The device that a cookie names, if the account has signed in on it within a year, and with the password that it has.
    fn recognise(&self, cookie: &str, account: &DeviceAccount, now: Timestamp) -> Option<DeviceId>;
}
