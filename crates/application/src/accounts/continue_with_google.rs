//! Signing in with Google, and what that means for the account with the same address.

use domain::{Account, AccountId, PictureUrl, Role, Text};
use ports::{
    AccountToken, GoogleClaim, GoogleClaimed, GoogleIdentity, PendingSignIn, PendingSignInLimit, SessionSecret,
    SignInRefused,
};

use crate::accounts::google_attempt::{GoogleRedirect, GoogleRefused, local_path};
use crate::accounts::issue_account_token::{MOST, WINDOW};
use crate::accounts::link_google::{LinkGoogleRefused, Linked};
use crate::platform::moments::{earlier, later};
use crate::{Failure, SignedIn, SigningIn};

/// How long a sign-in waits for its e-mailed link.
const PENDING_LIFE: std::time::Duration = std::time::Duration::from_hours(1);

/// The result of a browser's return from Google.
#[derive(Debug)]
pub enum FromGoogle {
    /// The user is signed in.
    SignedIn(Authenticated),
    /// Google does not vouch for the address: an e-mail asks its owner to confirm, and this browser can finish the
    /// sign-in.
    EmailSent {
        /// The value of the cookie that identifies this browser in the meantime.
        browser: SessionSecret,
    },
    /// It was no sign-in: a Google account was to be linked.
    Link {
        linked: Result<Linked, Failure<LinkGoogleRefused>>,
        /// Where to send the browser next.
        destination: String,
    },
}

/// A user who signed in with Google.
#[derive(Debug)]
pub struct Authenticated {
    /// The account and its session.
    pub signed_in: SignedIn,
    /// Where to send the browser next: a path of this shop.
    pub destination: String,
    /// Whether the account had an unproved password, which was removed.
    pub password_gone: bool,
}

impl SigningIn {
    /// Whether users can sign in with Google.
    #[must_use]
    pub fn offers_google(&self) -> bool {
        self.google.is_some()
    }

    /// Starts a sign-in; afterwards the browser goes to `destination`, a path of this shop.
    ///
    /// # Errors
    /// [`GoogleRefused`].
    pub async fn begin_google(&self, destination: &str) -> Result<GoogleRedirect, Failure<GoogleRefused>> {
        let attempt = self.google()?.begin();
        self.redirect_to_google(&attempt, destination).await
    }

    /// Finishes a browser's return from Google. `session` is the value of its session cookie, if it has one.
    ///
    /// # Errors
    /// [`GoogleRefused`].
    pub async fn finish_google(
        &self,
        sealed: Option<&str>,
        (state, code): (&str, &str),
        session: Option<&SessionSecret>,
    ) -> Result<FromGoogle, Failure<GoogleRefused>> {
        let google = self.google()?;
        let (attempt, destination) =
            sealed.and_then(|sealed| google.open(sealed)).ok_or(Failure::Refused(GoogleRefused::Unproven))?;
        if attempt.state != state {
            return Err(Failure::Refused(GoogleRefused::Unproven));
        }
        let identity = google.redeem(&attempt, code).await.map_err(|refused| match refused {
            SignInRefused::Unproven => Failure::Refused(GoogleRefused::Unproven),
            SignInRefused::Provider(error) => error.into(),
        })?;
        let destination = local_path(&destination).to_owned();
        match attempt.link_to {
            Some(account) => {
                let linked = self.finish_link(account, &identity, session).await;
                Ok(FromGoogle::Link { linked, destination })
            }
            None => self.continue_with_google(identity, destination).await,
        }
    }

    /// Signs in the account that is linked. Without one it depends on whether Google vouches for the address: if so,
    /// the account of the address is created, linked or taken over; if not, the owner of the address has to confirm it
    /// by e-mail first.
    async fn continue_with_google(
        &self,
        identity: GoogleIdentity,
        destination: String,
    ) -> Result<FromGoogle, Failure<GoogleRefused>> {
        if let Some(known) = self.ownership.by_google(&identity.google).await? {
            if known.removed {
                return Err(Failure::Refused(GoogleRefused::Removed));
            }
            if known.google_linked {
                return self.finish_sign_in(known.account, destination, false).await.map(FromGoogle::SignedIn);
            }
            // An older version linked it, by rules that left someone else's password or Google account in place.
            if known.account.email != identity.email {
                return Err(Failure::Refused(GoogleRefused::SignInFirst));
            }
        }
        if identity.email_is_authoritative {
            return self.claim(&identity, destination).await.map(FromGoogle::SignedIn);
        }
        let browser = self.session_secrets.fresh();
        let now = self.clock.now();
        let window =
            PendingSignInLimit { now, until: later(now, PENDING_LIFE), most: MOST, since: earlier(now, WINDOW) };
        let pending = PendingSignIn { identity, destination };
        self.ownership.store_pending_sign_in(&pending, &self.session_secrets.hash(&browser), window).await?;
        Ok(FromGoogle::EmailSent { browser })
    }

    /// Finishes a sign-in through the link in its e-mail, in the browser that started it.
    ///
    /// # Errors
    /// [`GoogleRefused`].
    pub async fn finish_google_by_email(
        &self,
        browser: Option<&SessionSecret>,
        token: &AccountToken,
    ) -> Result<Authenticated, Failure<GoogleRefused>> {
        let browser = browser.ok_or(Failure::Refused(GoogleRefused::LinkGone))?;
        let (browser, token) = (self.session_secrets.hash(browser), self.account_tokens.hash(token));
        let pending = self.ownership.finish_pending_sign_in(&browser, &token, self.clock.now()).await?;
        let PendingSignIn { identity, destination } = pending.ok_or(Failure::Refused(GoogleRefused::LinkGone))?;
        self.claim(&identity, local_path(&destination).to_owned()).await
    }

    /// Signs in a user whose address is proved, by Google or by an e-mailed link.
    async fn claim(
        &self,
        identity: &GoogleIdentity,
        destination: String,
    ) -> Result<Authenticated, Failure<GoogleRefused>> {
        let at = self.clock.now();
        let claim = GoogleClaim { account: self.account_for(identity), google: identity.google.clone(), at };
        let (account, password_gone) = match self.ownership.claim(&claim).await? {
            GoogleClaimed::Made(account) | GoogleClaimed::Linked(account) => (account, false),
            GoogleClaimed::TakenOver(account) => (account, true),
            GoogleClaimed::Removed => return Err(Failure::Refused(GoogleRefused::Removed)),
            GoogleClaimed::SignInFirst => return Err(Failure::Refused(GoogleRefused::SignInFirst)),
        };
        if password_gone {
            self.orders.cancel_abandoned_soon().await;
        }
        self.finish_sign_in(account, destination, password_gone).await
    }

    async fn finish_sign_in(
        &self,
        account: Account,
        destination: String,
        password_gone: bool,
    ) -> Result<Authenticated, Failure<GoogleRefused>> {
        let signed_in = self.open_session(account, None).await?.ok_or(Failure::Refused(GoogleRefused::Removed))?;
        Ok(Authenticated { signed_in, destination, password_gone })
    }

    fn account_for(&self, identity: &GoogleIdentity) -> Account {
        let called = identity.name.as_deref().and_then(|name| Text::new(name).ok());
        let created_at = self.clock.now();
        Account {
            id: AccountId::new(self.ids.fresh()),
            email: identity.email.clone(),
            display_name: called.unwrap_or_else(|| identity.email.as_name()),
            photo_url: identity.picture.as_deref().and_then(|url| url.parse::<PictureUrl>().ok()),
            role: Role::Customer,
            created_at,
            email_verified_at: Some(created_at),
            proved_at: Some(created_at),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ports::{
        Credentials, GoogleSubject, MockAccountTokens, MockGoogleSignIn, MockOwnershipRepository,
        MockSessionRepository, MockSessionSecrets, OwnershipRepository, SecretHash, SignInAttempt,
    };

    use super::*;
    use crate::Ports;
    use crate::testing::{credentials, orders_on, ports, signing_in};

    fn attempt() -> SignInAttempt {
        SignInAttempt { state: "state".into(), nonce: "nonce".into(), verifier: "verifier".into(), link_to: None }
    }

    fn google(email_is_authoritative: bool) -> Arc<MockGoogleSignIn> {
        let mut google = MockGoogleSignIn::new();
        google.expect_open().returning(|sealed| (sealed == "ours").then(|| (attempt(), "/shop".into())));
        google.expect_redeem().returning(move |_, code| {
            if code != "code" {
                return Err(SignInRefused::Unproven);
            }
            Ok(GoogleIdentity {
                google: GoogleSubject { issuer: "google".into(), subject: "sub-1".into() },
                email: "nia@example.com".parse().unwrap(),
                email_is_authoritative,
                name: Some("Nia".into()),
                picture: None,
            })
        });
        Arc::new(google)
    }

    fn service_with(ownership: MockOwnershipRepository, email_is_authoritative: bool) -> SigningIn {
        let mut secrets = MockSessionSecrets::new();
        secrets.expect_fresh().returning(|| SessionSecret::new("secret".into()));
        secrets.expect_hash().returning(|_| SecretHash([7; 32]));
        let mut sessions = MockSessionRepository::new();
        sessions.expect_open().returning(|_| Ok(true));
        let ownership: Arc<dyn OwnershipRepository> = Arc::new(ownership);
        SigningIn {
            google: Some(google(email_is_authoritative)),
            orders: Arc::new(orders_on(Ports { ownership: Arc::clone(&ownership), ..ports() })),
            ownership,
            session_secrets: Arc::new(secrets),
            sessions: Arc::new(sessions),
            ..signing_in()
        }
    }

    async fn come_back(signing_in: SigningIn) -> Result<FromGoogle, Failure<GoogleRefused>> {
        signing_in.finish_google(Some("ours"), ("state", "code"), None).await
    }

    fn known(google_linked: bool) -> Credentials {
        Credentials { google_linked, ..credentials("nia@example.com") }
    }

    #[tokio::test]
    async fn a_linked_google_account_signs_in_whether_or_not_google_vouches_for_its_address() {
        let mut ownership = MockOwnershipRepository::new();
        ownership.expect_by_google().returning(|_| Ok(Some(known(true))));
        let FromGoogle::SignedIn(entered) = come_back(service_with(ownership, false)).await.unwrap() else {
            panic!("not signed in")
        };
        assert_eq!((entered.destination.as_str(), entered.password_gone), ("/shop", false));
    }

    #[tokio::test]
    async fn an_address_that_google_does_not_vouch_for_creates_and_opens_no_account() {
        for known in [None, Some(known(false))] {
            let mut ownership = MockOwnershipRepository::new();
            ownership.expect_by_google().returning(move |_| Ok(known.clone()));
            ownership.expect_store_pending_sign_in().times(1).returning(|_, _, _| Ok(()));
            let came = come_back(service_with(ownership, false)).await.unwrap();
            assert!(matches!(came, FromGoogle::EmailSent { .. }), "{came:?}");
        }
    }

    #[tokio::test]
    async fn a_link_of_an_older_version_is_checked_again() {
        let mut ownership = MockOwnershipRepository::new();
        ownership.expect_by_google().returning(|_| Ok(Some(known(false))));
        ownership.expect_claim().times(1).returning(|claim| Ok(GoogleClaimed::TakenOver(claim.account.clone())));
        ownership.expect_abandoned_orders().returning(|_, _| Ok(Vec::new()));
        let FromGoogle::SignedIn(entered) = come_back(service_with(ownership, true)).await.unwrap() else {
            panic!("not signed in")
        };
        assert!(entered.password_gone);
    }

    #[tokio::test]
    async fn an_admins_account_is_not_linked_by_its_address() {
        let mut ownership = MockOwnershipRepository::new();
        ownership.expect_by_google().returning(|_| Ok(None));
        ownership.expect_claim().returning(|_| Ok(GoogleClaimed::SignInFirst));
        let refused = come_back(service_with(ownership, true)).await;
        assert!(matches!(refused, Err(Failure::Refused(GoogleRefused::SignInFirst))));
    }

    #[tokio::test]
    async fn a_removed_account_cannot_sign_in_with_google() {
        let mut linked = MockOwnershipRepository::new();
        linked.expect_by_google().returning(|_| Ok(Some(Credentials { removed: true, ..known(true) })));
        let mut same_address = MockOwnershipRepository::new();
        same_address.expect_by_google().returning(|_| Ok(None));
        same_address.expect_claim().returning(|_| Ok(GoogleClaimed::Removed));
        for ownership in [linked, same_address] {
            let refused = come_back(service_with(ownership, true)).await;
            assert!(matches!(refused, Err(Failure::Refused(GoogleRefused::Removed))));
        }
    }

    #[tokio::test]
    async fn a_sign_in_started_in_another_browser_is_not_finished() {
        for (sealed, state, code) in [
            (None, "state", "code"),
            (Some("forged"), "state", "code"),
            (Some("ours"), "other", "code"),
            (Some("ours"), "state", "used up"),
        ] {
            let signing_in = service_with(MockOwnershipRepository::new(), true);
            let refused = signing_in.finish_google(sealed, (state, code), None).await;
            assert!(matches!(refused, Err(Failure::Refused(GoogleRefused::Unproven))), "{sealed:?} {state} {code}");
        }
    }

    #[tokio::test]
    async fn an_emailed_link_finishes_no_sign_in_without_the_browsers_cookie() {
        let mut tokens = MockAccountTokens::new();
        tokens.expect_hash().returning(|_| SecretHash([8; 32]));
        let signing_in =
            SigningIn { account_tokens: Arc::new(tokens), ..service_with(MockOwnershipRepository::new(), true) };
        let refused = signing_in.finish_google_by_email(None, &AccountToken::new("token".into())).await;
        assert!(matches!(refused, Err(Failure::Refused(GoogleRefused::LinkGone))));
    }

    #[test]
    fn google_is_offered_only_where_it_is_set_up() {
        assert!(service_with(MockOwnershipRepository::new(), true).offers_google());
        assert!(!signing_in().offers_google());
    }
}
