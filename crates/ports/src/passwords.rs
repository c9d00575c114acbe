//! Passwords: hashing them, and counting wrong ones.

use std::net::IpAddr;

use async_trait::async_trait;
use domain::{Email, Password, Timestamp};
use thiserror::Error;

use crate::{PasswordHash, StoreError};

/// More passwords are being hashed than the pool takes: try again in a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("too many passwords are being checked at this moment")]
pub struct Busy;

/// Hashes passwords on threads of its own, so that a storm of logins cannot starve the rest of the shop.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait PasswordKeeper: Send + Sync {
    /// Hashes a password with a fresh salt (argon2id).
    async fn hash(&self, password: &Password) -> Result<PasswordHash, Busy>;

    /// Whether a typed password is the one that was hashed. Without a hash the answer is no and takes just as long, so
    /// that nobody learns from the time which addresses have accounts.
    async fn verify(&self, typed: &str, hash: Option<PasswordHash>) -> Result<bool, Busy>;
}

/// The wrong passwords that an address has had lately.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Guesses {
    /// How many, from anywhere.
    pub wrong: u32,
    /// Whether the network address that asks now was among those who guessed.
    pub from_here: bool,
    /// When the oldest of them was made.
    pub oldest: Option<Timestamp>,
}

/// Counts wrong passwords per account address.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait GuessStore: Send + Sync {
    /// The wrong passwords since a moment, and whether `from` made any of them.
    async fn since(&self, email: &Email, from: IpAddr, since: Timestamp) -> Result<Guesses, StoreError>;

    /// Notes one more wrong password, and forgets those before `forget_before`.
    async fn note(
        &self,
        email: &Email,
        from: IpAddr,
        at: Timestamp,
        forget_before: Timestamp,
    ) -> Result<(), StoreError>;
}
