//! What the links in letters hold: proof that whoever has it reads the mail of an account's address.

use async_trait::async_trait;
use domain::notifications::delivery::DeliveryId;
use domain::{Account, Email, Timestamp};

use crate::{PasswordHash, SecretHash, StoreError};

/// What a link in a letter holds: 256 random bits in URL-safe base64. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct AccountToken(String);

impl AccountToken {
    /// Wraps what a link held; any string.
    #[must_use]
    pub fn new(sent: String) -> Self {
        Self(sent)
    }

    /// What the link holds.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for AccountToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AccountToken(…)")
    }
}

/// What a token is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenPurpose {
    /// To confirm the account's address.
    Verify,
    /// To choose another password.
    Reset,
}

impl TokenPurpose {
    /// The name, as written in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Verify => "verify",
            Self::Reset => "reset",
        }
    }
}

/// A token that a letter is about to carry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAccountToken {
    /// What it hashes to.
    pub hash: SecretHash,
    /// What it is good for.
    pub purpose: TokenPurpose,
    /// Which letter will carry it.
    pub message: DeliveryId,
    /// When it was made.
    pub made_at: Timestamp,
    /// When it is of no use any more.
    pub expires_at: Timestamp,
}

/// How many letters of a kind an account gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EmailLimit {
    /// At most so many.
    pub most: u32,
    /// Since this moment.
    pub since: Timestamp,
}

/// Makes and recognises tokens.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait AccountTokens: Send + Sync {
    /// A fresh token from the system's randomness.
    fn fresh(&self) -> AccountToken;

    /// What a token hashes to.
    fn hash(&self, token: &AccountToken) -> SecretHash;
}

/// The tokens that letters carry, by what they hash to. One that was used, ran out, or whose account was removed is as if it
/// never was.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait AccountTokenRepository: Send + Sync {
    /// Keeps a token for the living account of an address. `false`, and nothing is kept, if there is none, if there is nothing
    /// left to prove, or if the account has had its share of other letters of this kind; calls at the same moment cannot
    /// get it more.
    async fn keep(&self, token: &NewAccountToken, email: &Email, bound: EmailLimit) -> Result<bool, StoreError>;

    /// Whose account a token is good for at this moment, if it is good for anything. It may have been used by the next.
    async fn holder(
        &self,
        hash: &SecretHash,
        purpose: TokenPurpose,
        now: Timestamp,
    ) -> Result<Option<Account>, StoreError>;

    /// Uses a token up and gives its account another password, in one transaction: every session and every other such token
    /// of the account ends, wrong passwords are forgotten, and its address is proved; a Google account that was linked before it was
    /// no longer is. The owner is e-mailed. Answers the address; `None`, and
    /// nothing happens, if the token is not good. Of calls with one token at the same moment one succeeds.
    async fn reset_password(
        &self,
        hash: &SecretHash,
        password: &PasswordHash,
        at: Timestamp,
    ) -> Result<Option<Email>, StoreError>;

    /// Forgets at most `limit` tokens that ran out before a moment, and answers how many.
    async fn forget(&self, before: Timestamp, limit: u32) -> Result<u32, StoreError>;
}
