//! Listing and ending one's own sessions.

use std::time::Duration;

use domain::accounts::access::Denied;
use domain::{Caller, SessionId, Text};
use ports::{Browser, Ending, LiveSession, SessionSecret, StoreError};

use crate::platform::moments::earlier;
use crate::{Failure, SignedIn, SigningIn};

/// How long an ended session is stored, so that a user who asks why they were signed out can get an answer.
const RETENTION: Duration = Duration::from_hours(7 * 24);

impl SigningIn {
    /// The caller's live sessions, last used first.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn sessions(&self, caller: &Caller) -> Result<Vec<LiveSession>, Failure> {
        Ok(self.sessions.list(caller.account, self.clock.now()).await?)
    }

    /// Ends one of the caller's sessions. `false` if it had ended before.
    ///
    /// # Errors
    /// [`Denied::NotFound`] if the caller has no such session.
    pub async fn end_session(&self, caller: &Caller, id: SessionId) -> Result<bool, Failure> {
        match self.sessions.close_of(caller.account, id, self.clock.now()).await? {
            Ending::Ended => Ok(true),
            Ending::EndedBefore => Ok(false),
            Ending::Unknown => Err(Denied::NotFound.into()),
        }
    }

    /// Ends all of the caller's sessions except the current one. Returns how many.
    ///
    /// # Errors
    /// [`Failure`].
    pub async fn end_other_sessions(&self, caller: &Caller) -> Result<u64, Failure> {
        Ok(self.sessions.close_others(caller.account, caller.session, self.clock.now()).await?)
    }

    /// Records the browser of a new sign-in, and ends the session of the same account that this browser had before. The
    /// sign-in is valid even if this fails.
    pub async fn note_browser(&self, signed_in: &SignedIn, device: Option<Text<80>>, held: Option<&SessionSecret>) {
        let browser = Browser { device, held: held.map(|secret| self.session_secrets.hash(secret)) };
        let secret = self.session_secrets.hash(&signed_in.secret);
        if let Err(error) = self.sessions.note_browser(&secret, &browser, self.clock.now()).await {
            tracing::warn!(%error, "the browser of a sign-in could not be recorded");
        }
    }

    /// Deletes sessions that ended some time ago, in batches. Returns how many.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed; batches deleted earlier in this run stay deleted.
    pub async fn forget_old_sessions(&self) -> Result<u64, StoreError> {
        let before = earlier(self.clock.now(), RETENTION);
        self.clocks.forget_what_is_old(|limit| self.sessions.forget(before, limit)).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use ports::{MockSessionRepository, MockSessionSecrets, SecretHash};

    use super::*;
    use crate::testing::{caller, credentials, now, signing_in};

    fn firefox() -> Text<80> {
        Text::new("Firefox on Linux").unwrap()
    }

    #[tokio::test]
    async fn a_caller_sees_the_live_sessions_of_their_account() {
        let id = caller(Role::Customer).session;
        let live = LiveSession { id, device: Some(firefox()), opened_at: now(), last_seen_at: now() };
        let stored = live.clone();
        let mut sessions = MockSessionRepository::new();
        sessions
            .expect_list()
            .times(1)
            .withf(|account, at| (*account, *at) == (caller(Role::Customer).account, now()))
            .returning(move |_, _| Ok(vec![stored.clone()]));
        let signing_in = SigningIn { sessions: Arc::new(sessions), ..signing_in() };
        assert_eq!(signing_in.sessions(&caller(Role::Customer)).await.unwrap(), [live]);
    }

    #[tokio::test]
    async fn a_caller_who_ends_all_other_sessions_keeps_the_current_one() {
        let mut sessions = MockSessionRepository::new();
        sessions
            .expect_close_others()
            .times(1)
            .withf(|account, kept, at| {
                let customer = caller(Role::Customer);
                (*account, *kept, *at) == (customer.account, customer.session, now())
            })
            .returning(|_, _, _| Ok(7));
        let signing_in = SigningIn { sessions: Arc::new(sessions), ..signing_in() };
        assert_eq!(signing_in.end_other_sessions(&caller(Role::Customer)).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn a_sign_in_records_its_browser_and_the_session_that_the_browser_had_before() {
        let mut secrets = MockSessionSecrets::new();
        secrets.expect_hash().returning(|secret| SecretHash([if secret.expose() == "new" { 1 } else { 2 }; 32]));
        let mut sessions = MockSessionRepository::new();
        sessions
            .expect_note_browser()
            .times(1)
            .withf(|secret, browser, at| {
                let expected = Browser { device: Some(firefox()), held: Some(SecretHash([2; 32])) };
                *secret == SecretHash([1; 32]) && *browser == expected && *at == now()
            })
            .returning(|_, _, _| Ok(()));
        let signing_in = SigningIn { session_secrets: Arc::new(secrets), sessions: Arc::new(sessions), ..signing_in() };
        let signed_in = SignedIn {
            account: credentials("customer@example.com").account,
            secret: SessionSecret::new("new".into()),
            lasts: Duration::from_hours(1),
            proved_by: None,
        };
        let held = SessionSecret::new("old".into());
        signing_in.note_browser(&signed_in, Some(firefox()), Some(&held)).await;
    }

    #[tokio::test]
    async fn another_accounts_session_is_not_found() {
        let mut sessions = MockSessionRepository::new();
        sessions.expect_close_of().returning(|_, _, _| Ok(Ending::Unknown));
        let signing_in = SigningIn { sessions: Arc::new(sessions), ..signing_in() };
        let customer = caller(Role::Customer);
        let refused = signing_in.end_session(&customer, customer.session).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::NotFound))));
    }

    #[tokio::test]
    async fn sessions_are_deleted_a_week_after_they_ended() {
        let mut sessions = MockSessionRepository::new();
        sessions
            .expect_forget()
            .times(1)
            .withf(|before, _| *before == earlier(now(), Duration::from_hours(168)))
            .returning(|_, _| Ok(3));
        let signing_in = SigningIn { sessions: Arc::new(sessions), ..signing_in() };
        assert_eq!(signing_in.forget_old_sessions().await.unwrap(), 3);
    }
}
