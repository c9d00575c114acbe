//! Account tokens: e-mailed links prove that a user reads the mail of an account's address.

use async_trait::async_trait;
use domain::notifications::delivery::DeliveryId;
use domain::{Account, Email, Timestamp};

use crate::platform::secret_text::secret_text;
use crate::{PasswordHash, SecretHash, StoreError};

secret_text! {
    /// The token in an e-mailed link: 256 random bits in URL-safe base64.
    AccountToken
}

/// What a token may be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenPurpose {
    /// To verify the account's e-mail address.
    Verify,
    /// To set another password.
    Reset,
}

impl TokenPurpose {
    /// The name, as stored in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Verify => "verify",
            Self::Reset => "reset",
        }
    }
}

/// A token that an e-mail will contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAccountToken {
    /// The token's hash.
    pub hash: SecretHash,
    /// What it may be used for.
    pub purpose: TokenPurpose,
    /// The e-mail that will contain it.
    pub message: DeliveryId,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// How many e-mails of one kind an account may get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EmailLimit {
    /// The maximum number.
    pub most: u32,
    /// The start of the period in which they are counted.
    pub since: Timestamp,
}

/// Generates and hashes account tokens.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
pub trait AccountTokens: Send + Sync {
    /// A new token from the system's random number generator.
    fn fresh(&self) -> AccountToken;

    /// The hash of a token.
    fn hash(&self, token: &AccountToken) -> SecretHash;
}

/// Account tokens, by their hashes. A token that was used, has expired, or belongs to a removed account is treated as
/// if it did not exist.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait AccountTokenRepository: Send + Sync {
    /// Stores a token for the account of an address. `false`, and nothing is stored, if there is no such account or it
    /// is removed, if there is nothing left to prove, or if the account has reached its limit of other e-mails of this
    /// kind, even under concurrent calls.
    async fn store(&self, token: &NewAccountToken, email: &Email, bound: EmailLimit) -> Result<bool, StoreError>;

    /// The account that a token is valid for at this moment. The token may be used up before the next call.
    async fn account_of(
        &self,
        hash: &SecretHash,
        purpose: TokenPurpose,
        now: Timestamp,
    ) -> Result<Option<Account>, StoreError>;

    /// Uses up a token and sets another password, in one transaction: every session and every other such token of the
    /// account ends, its failed logins are cleared, and its address is proved. A Google account that was linked before
    /// the address was proved is unlinked. E-mails the owner. Returns the address; `None`, and nothing is changed, if
    /// the token is not valid. Of concurrent calls with one token only one succeeds.
    async fn reset_password(
        &self,
        hash: &SecretHash,
        password: &PasswordHash,
        at: Timestamp,
    ) -> Result<Option<Email>, StoreError>;

    /// Deletes at most `limit` tokens that expired before a moment, and returns how many.
    async fn forget(&self, before: Timestamp, limit: u32) -> Result<u32, StoreError>;
}
