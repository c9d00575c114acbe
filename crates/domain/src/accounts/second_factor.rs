//! Second factors: what a session proves beside a password or Google, and when it has to prove it again.

use std::time::Duration;

use thiserror::Error;

use crate::Timestamp;

/// For how long a proof is good for what does lasting harm in the wrong hands, and a sign-in for adding the first factor.
pub const FRESH: Duration = Duration::from_mins(10);

/// How many wrong codes of an authenticator app are looked at, over how long. A code has six digits, and three are right at
/// any moment: by these limits a guesser who knows the password is right once in twenty years.
pub const CODE_LIMITS: [CodeLimit; 2] =
    [CodeLimit { most: 10, within: Duration::from_mins(15) }, CodeLimit { most: 50, within: Duration::from_hours(24) }];

/// How many recovery codes an account gets.
pub const RECOVERY_CODES: usize = 10;

/// How many passkeys an account may have.
pub const PASSKEYS_MAX: usize = 20;

/// At most this many wrong codes within a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeLimit {
    /// How many.
    pub most: u32,
    /// The time.
    pub within: Duration,
}

/// Whether admins need a second factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecondFactorPolicy {
    /// An admin without one is served as a customer, until they add one.
    Required,
    /// Everybody may have one, nobody has to.
    Optional,
}

/// How far a session has proved itself beside a password or Google.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecondFactor {
    /// The account has no second factor, and need not have one.
    None,
    /// The account is an admin's and has none, although the shop requires one: the caller's role is that of a customer.
    Missing,
    /// The account has one, and this session has not proved it.
    Unproved,
    /// This session proved it, last at this moment.
    Proved(Timestamp),
}

/// What a session has to do first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SecondFactorNeeded {
    /// Prove the account's second factor.
    #[error("the session has not proved its second factor")]
    Proof,
    /// Prove it again: the last proof is older than [`FRESH`].
    #[error("the second factor was proved too long ago")]
    FreshProof,
    /// Add a second factor.
    #[error("an admin needs a second factor")]
    Enrolment,
    /// Sign in again: the sign-in is older than [`FRESH`].
    #[error("the sign-in was too long ago")]
    FreshSignIn,
}
