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

/// The claims of an access token. The role is not one of them: it is read from the database for each request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenClaims {
    /// The session that it was issued for; the token is invalid once the session ends.
    pub session: SessionId,
    /// The account that it was issued to.
    pub account: AccountId,
    /// The account's address.
    pub email: Email,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// Signs and verifies access tokens.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait TokenIssuer: Send + Sync {
    /// Signs a token with the newest key; `None` only if signing itself fails.
    fn issue(&self, claims: &TokenClaims) -> Option<AccessToken>;

    /// The claims of a token, if one of the shop's keys signed it for this shop and it has not expired by `now`.
    fn read(&self, compact: &str, now: Timestamp) -> Option<TokenClaims>;
}
