//! Issuing an access token for a session.

use std::time::Duration;

use domain::{Caller, Permission};
use ports::{AccessToken, TokenClaims};
use thiserror::Error;

use crate::platform::moments::later;
use crate::{Failure, SigningIn};

/// How long an access token is valid.
const TOKEN_LIFE: Duration = Duration::from_mins(15);

/// The token could not be signed: a defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the token could not be signed")]
pub struct TokenUnsigned;

impl SigningIn {
    /// Issues an access token for the caller's session, if `email` is the caller's own address. The token contains no
    /// role.
    ///
    /// # Errors
    /// [`TokenUnsigned`]; [`Failure::Denied`] before the account's second factor is proved, or added if an admin needs one.
    pub fn issue_token(&self, caller: &Caller, email: &str) -> Result<AccessToken, Failure<TokenUnsigned>> {
        caller.require_self(Permission::UseOwnSession, email)?;
        caller.require_enrolment()?;
        caller.require_proof()?;
        let issued_at = self.clock.now();
        let claims = TokenClaims {
            session: caller.session,
            account: caller.account,
            email: caller.email.clone(),
            issued_at,
            expires_at: later(issued_at, TOKEN_LIFE),
        };
        self.tokens.issue(&claims).ok_or(Failure::Refused(TokenUnsigned))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Role, SecondFactor, SecondFactorNeeded};
    use ports::MockTokenIssuer;

    use super::*;
    use crate::testing::{caller, now, signing_in};
    use domain::accounts::access::Denied;

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
        let signing_in = SigningIn { tokens: Arc::new(tokens), ..signing_in() };
        let token = signing_in.issue_token(&caller(Role::Customer), "Customer@Example.com").unwrap();
        assert_eq!(token.expose(), "compact");
    }

    #[test]
    fn no_token_is_issued_before_the_second_factor_is_proved_or_added() {
        for (second_factor, needed) in [
            (SecondFactor::Unproved, SecondFactorNeeded::Proof),
            (SecondFactor::Missing, SecondFactorNeeded::Enrolment),
        ] {
            let caller = Caller { second_factor, ..caller(Role::Customer) };
            let refused = signing_in().issue_token(&caller, "customer@example.com");
            assert!(matches!(refused, Err(Failure::Denied(Denied::SecondFactor(found))) if found == needed));
        }
    }

    #[test]
    fn no_role_gets_a_token_for_another_address() {
        for role in [Role::Customer, Role::Admin] {
            let refused = signing_in().issue_token(&caller(role), "other@example.com");
            assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
        }
    }
}
