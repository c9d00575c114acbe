//! Issuing an access token for a session.

use std::time::Duration;

use domain::accounts::access::Denied;
use domain::{Caller, Permission};
use ports::{AccessToken, TokenClaims};
use thiserror::Error;

use crate::Shop;
use crate::shop::later;

/// How long an access token is valid.
const TOKEN_LIFE: Duration = Duration::from_mins(15);

/// Why no token was issued.
#[derive(Debug, Error)]
pub enum IssueTokenError {
    /// The address is not the session's.
    #[error(transparent)]
    Denied(#[from] Denied),
    #[error("the token could not be signed")]
    Unsigned,
}

impl Shop {
    /// Issues an access token for the caller's session, if `person` is the caller's own address. The token contains no
    /// role.
    ///
    /// # Errors
    /// [`IssueTokenError`].
    pub fn issue_token(&self, caller: &Caller, person: &str) -> Result<AccessToken, IssueTokenError> {
        caller.require_self(Permission::UseOwnSession, person)?;
        let issued_at = self.clock.now();
        let claims = TokenClaims {
            session: caller.session,
            account: caller.account,
            email: caller.email.clone(),
            issued_at,
            expires_at: later(issued_at, TOKEN_LIFE),
        };
        self.tokens.issue(&claims).ok_or(IssueTokenError::Unsigned)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use ports::MockTokenIssuer;

    use super::*;
    use crate::testing::{caller, now, shop};

    #[test]
    fn a_token_is_valid_for_fifteen_minutes_and_bound_to_its_session() {
        let mut tokens = MockTokenIssuer::new();
        tokens
            .expect_issue()
            .withf(|claims| {
                claims.session == caller(Role::Customer).session
                    && claims.expires_at.duration_since(claims.issued_at).as_secs() == 900
                    && claims.issued_at == now()
            })
            .returning(|_| Some(AccessToken::new("compact".into())));
        let shop = Shop { tokens: Arc::new(tokens), ..shop() };
        let token = shop.issue_token(&caller(Role::Customer), "Customer@Example.com").unwrap();
        assert_eq!(token.expose(), "compact");
    }

    #[test]
    fn no_role_gets_a_token_for_another_address() {
        for role in [Role::Customer, Role::Admin] {
            let refused = shop().issue_token(&caller(role), "other@example.com");
            assert!(matches!(refused, Err(IssueTokenError::Denied(Denied::Forbidden))));
        }
    }
}
