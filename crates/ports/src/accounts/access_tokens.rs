//! Access tokens.

use domain::{AccountId, Email, SessionId, Timestamp};

/// A signed access token in compact form (RFC 7519). `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessToken(String);

impl AccessToken {
    /// Wraps a compact token.
    #[must_use]
    pub fn new(compact: String) -> Self {
        Self(compact)
    }

    /// The compact token.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AccessToken(…)")
    }
}

/// What an access token says. Never a role: that is read from the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenClaims {
    /// The session that it was minted from, and dies with.
    pub session: SessionId,
    /// Whose it is.
    pub account: AccountId,
    /// The account's address.
    pub email: Email,
    /// When it was minted.
    pub issued_at: Timestamp,
    /// When it runs out.
    pub expires_at: Timestamp,
}

/// Signs and reads access tokens.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait TokenIssuer: Send + Sync {
    /// Signs a token with the newest key; `None` only if signing itself fails.
    fn issue(&self, claims: &TokenClaims) -> Option<AccessToken>;

    /// What a token says, if one of our keys signed it for this shop and it has not run out by `now`.
    fn read(&self, compact: &str, now: Timestamp) -> Option<TokenClaims>;
}
