//! Authenticating a cookie or an access token.

use domain::accounts::access::Denied;
use domain::{Caller, Permission, Timestamp};
use ports::{SessionSecret, StoreError};

use crate::SigningIn;

/// How well a caller has to have proved who they are, for one kind of request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assurance {
    /// By a password or Google alone: enough to prove the second factor, and to sign out.
    FirstFactor,
    /// By every factor that the account has.
    AllFactors,
    /// By every factor that the account has, the second one within the last ten minutes.
    FreshFactors,
}

/// What a request demands of its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demanded {
    /// The permission.
    pub permission: Permission,
    /// How well the caller has to have proved who they are.
    pub assurance: Assurance,
}

impl Demanded {
    /// What most requests demand.
    #[must_use]
    pub const fn permission(permission: Permission) -> Self {
        Self { permission, assurance: Assurance::AllFactors }
    }

    /// What proving the second factor and signing out demand.
    pub const FIRST_FACTOR: Self = Self { permission: Permission::UseOwnSession, assurance: Assurance::FirstFactor };

    fn of(self, caller: &Caller, now: Timestamp) -> Result<(), Denied> {
        if self.assurance != Assurance::FirstFactor {
            caller.require_proof()?;
        }
        caller.require(self.permission)?;
        if self.assurance == Assurance::FreshFactors {
            caller.require_fresh_proof(now)?;
        }
        Ok(())
    }
}

impl SigningIn {
    /// The caller that an access token belongs to. `None` if the shop did not sign it, it has expired, or its session
    /// has ended. A caller who is refused what `demanded` asks for is never one that is only remembered.
    ///
    /// # Errors
    /// [`StoreError`] if the session could not be looked up.
    pub async fn caller_by_token(&self, compact: &str, demanded: Demanded) -> Result<Option<Caller>, StoreError> {
        let now = self.clock.now();
        let Some(claims) = self.tokens.read(compact, now) else { return Ok(None) };
        let mut caller = self.held(self.sessions.by_id(claims.session, now).await?);
        // Who was given a role or proved a second factor a moment ago, by another instance or on the command line, has it
        // already.
        if caller.as_ref().is_some_and(|caller| demanded.of(caller, now).is_err()) {
            caller = self.held(self.sessions.by_id_now(claims.session, now).await?);
        }
        Ok(caller.filter(|caller| caller.account == claims.account))
    }

    /// The caller that a session cookie belongs to. `None` if there is no such session, or it has ended. A caller who is
    /// refused what `demanded` asks for is never one that is only remembered.
    ///
    /// # Errors
    /// [`StoreError`] if the session could not be looked up.
    pub async fn caller_by_cookie(
        &self,
        secret: &SessionSecret,
        demanded: Demanded,
    ) -> Result<Option<Caller>, StoreError> {
        let (secret, now) = (self.session_secrets.hash(secret), self.clock.now());
        let caller = self.held(self.sessions.by_secret(&secret, now).await?);
        if caller.as_ref().is_some_and(|caller| demanded.of(caller, now).is_err()) {
            return Ok(self.held(self.sessions.by_secret_now(&secret, now).await?));
        }
        Ok(caller)
    }

    /// Checks what a request demands of its caller now.
    ///
    /// # Errors
    /// [`Denied`].
    pub fn check(&self, caller: &Caller, demanded: Demanded) -> Result<(), Denied> {
        demanded.of(caller, self.clock.now())
    }

    fn held(&self, caller: Option<Caller>) -> Option<Caller> {
        caller.map(|caller| caller.held_to(self.admin_second_factor))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use domain::{AccountId, Role, SecondFactor, SecondFactorNeeded, SecondFactorPolicy};
    use ports::{MockSessionRepository, MockSessionSecrets, MockTokenIssuer, SecretHash, TokenClaims};
    use uuid::Uuid;

    use super::*;
    use crate::platform::moments::earlier;
    use crate::testing::{caller, now, signing_in};

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
        assert_eq!(
            signing_in.caller_by_token("token", Demanded::permission(Permission::PlaceOrder)).await.unwrap(),
            None
        );
    }

    #[tokio::test]
    async fn the_role_is_read_with_the_session_and_not_from_the_token() {
        let mut sessions = MockSessionRepository::new();
        sessions.expect_by_id().returning(|_, _| Ok(Some(caller(Role::Admin))));
        let signing_in = SigningIn { tokens: Arc::new(issue()), sessions: Arc::new(sessions), ..signing_in() };
        let somebody = signing_in.caller_by_token("token", Demanded::permission(Permission::PlaceOrder)).await.unwrap();
        assert_eq!(somebody.map(|caller| caller.role), Some(Role::Admin));
    }

    #[tokio::test]
    async fn a_permission_is_not_refused_by_a_role_that_is_only_remembered() {
        let mut sessions = MockSessionRepository::new();
        sessions.expect_by_id().returning(|_, _| Ok(Some(caller(Role::Customer))));
        sessions.expect_by_id_now().times(1).returning(|_, _| Ok(Some(caller(Role::Admin))));
        let signing_in = SigningIn { tokens: Arc::new(issue()), sessions: Arc::new(sessions), ..signing_in() };
        let somebody =
            signing_in.caller_by_token("token", Demanded::permission(Permission::ManageProducts)).await.unwrap();
        assert_eq!(somebody.map(|caller| caller.role), Some(Role::Admin));
    }

    #[tokio::test]
    async fn a_proof_that_another_instance_accepted_a_moment_ago_counts() {
        let proved = |second_factor| Caller { second_factor, ..caller(Role::Admin) };
        let mut sessions = MockSessionRepository::new();
        let long_ago = earlier(now(), Duration::from_mins(11));
        sessions.expect_by_id().returning(move |_, _| Ok(Some(proved(SecondFactor::Proved(long_ago)))));
        sessions.expect_by_id_now().times(1).returning(move |_, _| Ok(Some(proved(SecondFactor::Proved(now())))));
        sessions.expect_by_secret().returning(move |_, _| Ok(Some(proved(SecondFactor::Unproved))));
        sessions.expect_by_secret_now().times(1).returning(move |_, _| Ok(Some(proved(SecondFactor::Proved(now())))));
        let mut secrets = MockSessionSecrets::new();
        secrets.expect_hash().returning(|_| SecretHash([1; 32]));
        let signing_in = SigningIn {
            tokens: Arc::new(issue()),
            sessions: Arc::new(sessions),
            session_secrets: Arc::new(secrets),
            ..signing_in()
        };
        let fresh = Demanded { permission: Permission::ManageAccounts, assurance: Assurance::FreshFactors };
        let by_token = signing_in.caller_by_token("token", fresh).await.unwrap().unwrap();
        assert_eq!(signing_in.check(&by_token, fresh), Ok(()));
        let used = Demanded::permission(Permission::UseOwnSession);
        let by_cookie = signing_in.caller_by_cookie(&SessionSecret::new("cookie".into()), used).await.unwrap().unwrap();
        assert_eq!(signing_in.check(&by_cookie, used), Ok(()));
    }

    #[tokio::test]
    async fn an_admin_without_the_required_second_factor_is_served_as_a_customer() {
        let mut sessions = MockSessionRepository::new();
        let none = || Ok(Some(caller(Role::Admin)));
        sessions.expect_by_id().returning(move |_, _| none());
        sessions.expect_by_id_now().returning(move |_, _| none());
        let required = SigningIn {
            tokens: Arc::new(issue()),
            sessions: Arc::new(sessions),
            admin_second_factor: SecondFactorPolicy::Required,
            ..signing_in()
        };
        let demanded = Demanded::permission(Permission::ListAllOrders);
        let somebody = required.caller_by_token("token", demanded).await.unwrap().unwrap();
        assert_eq!(somebody.role, Role::Customer);
        assert_eq!(required.check(&somebody, demanded), Err(Denied::SecondFactor(SecondFactorNeeded::Enrolment)));
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
        assert_eq!(
            signing_in.caller_by_token("token", Demanded::permission(Permission::PlaceOrder)).await.unwrap(),
            None
        );
    }
}
