//! Access tokens.

use domain::{AccountId, Email, SessionId, Timestamp};

use crate::platform::secret_text::secret_text;

secret_text! {
    /// A signed access token in compact form (RFC 7519).
    AccessToken
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
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
pub trait TokenIssuer: Send + Sync {
    /// Signs a token with the newest key; `None` only if signing itself fails.
    fn issue(&self, claims: &TokenClaims) -> Option<AccessToken>;

    /// The claims of a token, if one of the shop's keys signed it for this shop and it has not expired by `now`.
    fn read(&self, compact: &str, now: Timestamp) -> Option<TokenClaims>;
}
