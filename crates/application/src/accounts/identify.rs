//! Authenticating a cookie or an access token.

use domain::{Caller, Permission};
use ports::{SessionSecret, StoreError};

use crate::SigningIn;

impl SigningIn {
    /// The caller that an access token belongs to. `None` if the shop did not sign it, it has expired, or its session
    /// has ended. A role without the permission is never one that is only remembered.
    ///
    /// # Errors
    /// [`StoreError`] if the session could not be looked up.
    pub async fn caller_by_token(&self, compact: &str, permission: Permission) -> Result<Option<Caller>, StoreError> {
        let now = self.clock.now();
        let Some(claims) = self.tokens.read(compact, now) else { return Ok(None) };
        let mut caller = self.sessions.by_id(claims.session, now).await?;
        // Who was given a role a moment ago, by another instance or on the command line, has it already.
        if caller.as_ref().is_some_and(|caller| caller.require(permission).is_err()) {
            caller = self.sessions.by_id_now(claims.session, now).await?;
        }
        Ok(caller.filter(|caller| caller.account == claims.account))
    }

    /// The caller that a session cookie belongs to. `None` if there is no such session, or it has ended.
    ///
    /// # Errors
    /// [`StoreError`] if the session could not be looked up.
    pub async fn caller_by_cookie(&self, secret: &SessionSecret) -> Result<Option<Caller>, StoreError> {
        self.sessions.by_secret(&self.session_secrets.hash(secret), self.clock.now()).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{AccountId, Permission, Role, Timestamp};
    use ports::{MockSessionRepository, MockTokenIssuer, TokenClaims};
    use uuid::Uuid;

    use crate::SigningIn;
    use crate::testing::{caller, signing_in};

    fn issue() -> MockTokenIssuer {
        let mut issue = MockTokenIssuer::new();
        issue.expect_read().returning(|_, _| {
            let somebody = caller(Role::Customer);
            Some(TokenClaims {
                session: somebody.session,
                account: somebody.account,
                email: somebody.email,
                issued_at: Timestamp::UNIX_EPOCH,
                expires_at: Timestamp::MAX,
            })
        });
        issue
    }

    #[tokio::test]
    async fn a_token_whose_session_has_ended_is_invalid() {
        let mut sessions = MockSessionRepository::new();
        sessions.expect_by_id().returning(|_, _| Ok(None));
        let signing_in = SigningIn { tokens: Arc::new(issue()), sessions: Arc::new(sessions), ..signing_in() };
        assert_eq!(signing_in.caller_by_token("token", Permission::PlaceOrder).await.unwrap(), None);
    }

    #[tokio::test]
    async fn the_role_is_read_with_the_session_and_not_from_the_token() {
        let mut sessions = MockSessionRepository::new();
        sessions.expect_by_id().returning(|_, _| Ok(Some(caller(Role::Admin))));
        let signing_in = SigningIn { tokens: Arc::new(issue()), sessions: Arc::new(sessions), ..signing_in() };
        let somebody = signing_in.caller_by_token("token", Permission::PlaceOrder).await.unwrap();
        assert_eq!(somebody.map(|caller| caller.role), Some(Role::Admin));
    }

    #[tokio::test]
    async fn a_permission_is_not_refused_by_a_role_that_is_only_remembered() {
        let mut sessions = MockSessionRepository::new();
        sessions.expect_by_id().returning(|_, _| Ok(Some(caller(Role::Customer))));
        sessions.expect_by_id_now().times(1).returning(|_, _| Ok(Some(caller(Role::Admin))));
        let signing_in = SigningIn { tokens: Arc::new(issue()), sessions: Arc::new(sessions), ..signing_in() };
        let somebody = signing_in.caller_by_token("token", Permission::ManageProducts).await.unwrap();
        assert_eq!(somebody.map(|caller| caller.role), Some(Role::Admin));
    }

    #[tokio::test]
    async fn a_token_for_another_accounts_session_is_invalid() {
        let mut sessions = MockSessionRepository::new();
        sessions.expect_by_id().returning(|_, _| {
            let mut other = caller(Role::Customer);
            other.account = AccountId::new(Uuid::from_u128(999));
            Ok(Some(other))
        });
        let signing_in = SigningIn { tokens: Arc::new(issue()), sessions: Arc::new(sessions), ..signing_in() };
        assert_eq!(signing_in.caller_by_token("token", Permission::PlaceOrder).await.unwrap(), None);
    }
}
