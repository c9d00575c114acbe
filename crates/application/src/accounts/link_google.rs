//! The ways to sign in to one's own account: listing them, and linking and unlinking Google.

use domain::{AccountId, Caller, Permission};
use ports::{GoogleIdentity, GoogleLink, Linking, SessionSecret, SignInMethods, Unlinking};
use thiserror::Error;

use crate::accounts::google_attempt::{GoogleRedirect, GoogleRefused};
use crate::accounts::my_account::AccountRemoved;
use crate::{Demanded, Failure, SigningIn};

/// Linking is for a session that has proved all that the account has: it adds a way to sign in.
const OWN_SESSION: Demanded = Demanded::permission(Permission::UseOwnSession);

/// Why a Google account was not linked.
#[derive(Debug, Error)]
pub enum LinkGoogleRefused {
    /// The browser that returned from Google is not signed in to the account that it started from.
    #[error("somebody else is signed in")]
    SignedOut,
    /// The Google account belongs to another account, or this account has another Google account.
    #[error("another Google account is linked, or this one is linked elsewhere")]
    Taken,
    /// The account's address is unproved: whoever signed up may not own it.
    #[error("the address has to be confirmed first")]
    Unproved,
}

/// The result of linking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linked {
    Now,
    /// It was linked already.
    Before,
}

/// There is no other way to sign in to the account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("Google is the only way into the account")]
pub struct LastSignInMethod;

impl SigningIn {
    /// The ways to sign in to the caller's account.
    ///
    /// # Errors
    /// [`AccountRemoved`].
    pub async fn sign_in_methods(&self, caller: &Caller) -> Result<SignInMethods, Failure<AccountRemoved>> {
        self.ownership.sign_in_methods(caller.account).await?.ok_or(Failure::Refused(AccountRemoved))
    }

    /// Starts to link a Google account to the caller's account, who has signed in or proved their second factor a moment ago;
    /// their browser goes to Google next.
    ///
    /// # Errors
    /// [`GoogleRefused`].
    pub async fn begin_google_link(
        &self,
        caller: &Caller,
        destination: &str,
    ) -> Result<GoogleRedirect, Failure<GoogleRefused>> {
        // It adds a way in: a cookie that was stolen later is not enough.
        caller.require_fresh_identity(self.clock.now())?;
        let mut attempt = self.google()?.begin();
        attempt.link_to = Some(caller.account);
        self.redirect_to_google(&attempt, destination).await
    }

    /// Links the Google account that a browser returned with, if it still is signed in to the account that it started
    /// from.
    pub(crate) async fn finish_link(
        &self,
        account: AccountId,
        identity: &GoogleIdentity,
        session: Option<&SessionSecret>,
    ) -> Result<Linked, Failure<LinkGoogleRefused>> {
        let caller = match session {
            Some(secret) => self.caller_by_cookie(secret, OWN_SESSION).await?,
            None => None,
        };
        let caller = caller
            .filter(|caller| caller.account == account && self.check(caller, OWN_SESSION).is_ok())
            .ok_or(Failure::Refused(LinkGoogleRefused::SignedOut))?;
        let proves = identity.email_is_authoritative && identity.email == caller.email;
        let link = GoogleLink { account, google: identity.google.clone(), proves, at: self.clock.now() };
        match self.ownership.link_google(&link).await? {
            Linking::Linked => Ok(Linked::Now),
            Linking::Same => Ok(Linked::Before),
            Linking::Taken => Err(Failure::Refused(LinkGoogleRefused::Taken)),
            Linking::Unproved => Err(Failure::Refused(LinkGoogleRefused::Unproved)),
            Linking::Gone => Err(Failure::Refused(LinkGoogleRefused::SignedOut)),
        }
    }

    /// Unlinks Google and ends the caller's other sessions. Returns whether this call did it.
    ///
    /// # Errors
    /// [`LastSignInMethod`].
    pub async fn unlink_google(&self, caller: &Caller) -> Result<bool, Failure<LastSignInMethod>> {
        match self.ownership.unlink_google(caller.account, caller.session, self.clock.now()).await? {
            Unlinking::Unlinked => Ok(true),
            Unlinking::NotLinked => Ok(false),
            Unlinking::LastWay => Err(Failure::Refused(LastSignInMethod)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Denied, Role, SecondFactor, SecondFactorNeeded};
    use ports::{GoogleSubject, MockOwnershipRepository, MockSessionRepository, MockSessionSecrets, SecretHash};
    use uuid::Uuid;

    use super::*;
    use crate::testing::{caller, now, signing_in};

    fn subject() -> GoogleSubject {
        GoogleSubject { issuer: "google".into(), subject: "sub-1".into() }
    }

    fn identity(email: &str, email_is_authoritative: bool) -> GoogleIdentity {
        let email = email.parse().unwrap();
        GoogleIdentity { google: subject(), email, email_is_authoritative, name: None, picture: None }
    }

    /// A shop in which a browser's session cookie is this caller's.
    fn signed_in_as(somebody: Caller, ownership: MockOwnershipRepository) -> SigningIn {
        let mut secrets = MockSessionSecrets::new();
        secrets.expect_hash().returning(|_| SecretHash([7; 32]));
        let mut sessions = MockSessionRepository::new();
        let remembered = somebody.clone();
        sessions.expect_by_secret().returning(move |_, _| Ok(Some(remembered.clone())));
        sessions.expect_by_secret_now().returning(move |_, _| Ok(Some(somebody.clone())));
        SigningIn {
            ownership: Arc::new(ownership),
            session_secrets: Arc::new(secrets),
            sessions: Arc::new(sessions),
            ..signing_in()
        }
    }

    /// A browser returns from Google that started from the customer's account.
    async fn come_back(
        signing_in: &SigningIn,
        identity: &GoogleIdentity,
        cookie: Option<&str>,
    ) -> Result<Linked, Failure<LinkGoogleRefused>> {
        let session = cookie.map(|cookie| SessionSecret::new(cookie.into()));
        signing_in.finish_link(caller(Role::Customer).account, identity, session.as_ref()).await
    }

    #[tokio::test]
    async fn an_old_session_adds_no_way_in() {
        let refused = signing_in().begin_google_link(&caller(Role::Customer), "/").await;
        let expected = Denied::SecondFactor(SecondFactorNeeded::FreshSignIn);
        assert!(matches!(refused, Err(Failure::Denied(why)) if why == expected));
        // One that has just begun goes on, and here nothing is set up.
        let fresh = Caller { signed_in_at: now(), ..caller(Role::Customer) };
        let refused = signing_in().begin_google_link(&fresh, "/").await;
        assert!(matches!(refused, Err(Failure::Refused(GoogleRefused::NotOffered))));
    }

    #[tokio::test]
    async fn a_link_proves_the_account_only_if_google_vouches_for_its_own_address() {
        for (email, vouched_for, proves) in [
            ("customer@example.com", true, true),
            ("customer@example.com", false, false),
            ("elsewhere@example.com", true, false),
            ("elsewhere@example.com", false, false),
        ] {
            let account = caller(Role::Customer).account;
            let expected = GoogleLink { account, google: subject(), proves, at: now() };
            let mut ownership = MockOwnershipRepository::new();
            ownership
                .expect_link_google()
                .times(1)
                .withf(move |link| *link == expected)
                .returning(|_| Ok(Linking::Linked));
            let shop = signed_in_as(caller(Role::Customer), ownership);
            let linked = come_back(&shop, &identity(email, vouched_for), Some("cookie")).await;
            assert_eq!(linked.unwrap(), Linked::Now, "{email} {vouched_for}");
        }
    }

    #[tokio::test]
    async fn a_browser_that_is_not_signed_in_to_the_account_with_every_factor_links_nothing() {
        let somebody_else = Caller { account: AccountId::new(Uuid::from_u128(999)), ..caller(Role::Customer) };
        let unproved = Caller { second_factor: SecondFactor::Unproved, ..caller(Role::Customer) };
        for (somebody, cookie) in
            [(somebody_else, Some("cookie")), (unproved, Some("cookie")), (caller(Role::Customer), None)]
        {
            // The ownership repository's mock panics on any call.
            let shop = signed_in_as(somebody, MockOwnershipRepository::new());
            let refused = come_back(&shop, &identity("customer@example.com", true), cookie).await;
            assert!(matches!(refused, Err(Failure::Refused(LinkGoogleRefused::SignedOut))), "{refused:?}");
        }
    }

    #[tokio::test]
    async fn google_is_unlinked_once_and_never_as_the_only_way_in() {
        for (outcome, expected) in
            [(Unlinking::Unlinked, Some(true)), (Unlinking::NotLinked, Some(false)), (Unlinking::LastWay, None)]
        {
            let mut ownership = MockOwnershipRepository::new();
            ownership
                .expect_unlink_google()
                .times(1)
                .withf(|account, kept, at| {
                    let customer = caller(Role::Customer);
                    (*account, *kept, *at) == (customer.account, customer.session, now())
                })
                .returning(move |_, _, _| Ok(outcome));
            let shop = SigningIn { ownership: Arc::new(ownership), ..signing_in() };
            let unlinked = shop.unlink_google(&caller(Role::Customer)).await;
            match expected {
                Some(by_this_call) => assert_eq!(unlinked.unwrap(), by_this_call),
                None => assert!(matches!(unlinked, Err(Failure::Refused(LastSignInMethod)))),
            }
        }
    }
}
