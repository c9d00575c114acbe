//! Signing in with a Google account, and linking it to an account that is there already.

use domain::{Account, AccountId, PictureUrl, Role, Text};
use ports::{
    AddAccountError, Credentials, GoogleIdentity, GoogleSignIn, NewAccount, ProviderError, SignInRefused, StoreError,
};
use thiserror::Error;

use crate::{Shop, SignedIn};

/// Why nobody was signed in.
#[derive(Debug, Error)]
pub enum ContinueWithGoogleError {
    /// The shop has no keys for Google.
    #[error("signing in with Google is not set up")]
    NotOffered,
    /// What came back is not the answer to what this browser asked, or Google does not confirm it.
    #[error("the sign-in could not be confirmed")]
    Unproven,
    /// The address has an account with a password, and Google does not say that the address is this person's.
    #[error("the address has an account, and Google has not verified that it is this person's")]
    Unverified,
    /// The account was removed.
    #[error("the account was removed")]
    Removed,
    /// Google failed.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a browser needs to go to Google and to be recognised when it comes back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Departure {
    /// Where to send it.
    pub address: String,
    /// What its cookie holds meanwhile.
    pub sealed: String,
}

impl Shop {
    /// Sends a browser off to Google; it wants to be at `destination`, a path of this shop, afterwards.
    ///
    /// # Errors
    /// [`ContinueWithGoogleError`].
    pub async fn begin_google(&self, destination: &str) -> Result<Departure, ContinueWithGoogleError> {
        let google = self.google()?;
        let attempt = google.begin();
        let address = google.address(&attempt).await?;
        Ok(Departure { address, sealed: google.seal(&attempt, local_path(destination)) })
    }

    /// Takes a browser back from Google. Answers who it is, and the path where it wanted to be.
    ///
    /// # Errors
    /// [`ContinueWithGoogleError`].
    pub async fn finish_google(
        &self,
        sealed: Option<&str>,
        state: &str,
        code: &str,
    ) -> Result<(SignedIn, String), ContinueWithGoogleError> {
        let google = self.google()?;
        let (attempt, destination) =
            sealed.and_then(|sealed| google.open(sealed)).ok_or(ContinueWithGoogleError::Unproven)?;
        if attempt.state != state {
            return Err(ContinueWithGoogleError::Unproven);
        }
        let identity = google.redeem(&attempt, code).await.map_err(|refused| match refused {
            SignInRefused::Unproven => ContinueWithGoogleError::Unproven,
            SignInRefused::Provider(error) => error.into(),
        })?;
        let signed_in = self.continue_with_google(&identity).await?;
        Ok((signed_in, local_path(&destination).to_owned()))
    }

    /// Signs in whoever Google says it is: by the link if there is one, else by linking the account with the same
    /// address if Google has verified that address, else by creating an account.
    async fn continue_with_google(&self, identity: &GoogleIdentity) -> Result<SignedIn, ContinueWithGoogleError> {
        if let Some(linked) = self.accounts.by_google(&identity.subject).await? {
            return self.enter(linked).await;
        }
        if self.accounts.by_email(&identity.email).await?.is_none() {
            match self.accounts.add(&self.account_for(identity)).await {
                Ok(()) | Err(AddAccountError::Taken) => {}
                Err(AddAccountError::Store(error)) => return Err(error.into()),
            }
        }
        // Read back rather than remembered: of two first sign-ins at the same moment only one has created it.
        let found = self.accounts.by_email(&identity.email).await?.ok_or(ContinueWithGoogleError::Unproven)?;
        if found.removed {
            return Err(ContinueWithGoogleError::Removed);
        }
        if found.google_subject.as_deref() != Some(&identity.subject) {
            let may_link = identity.email_verified && found.google_subject.is_none();
            if !may_link || !self.accounts.link_google(found.account.id, &identity.subject, self.clock.now()).await? {
                return Err(ContinueWithGoogleError::Unverified);
            }
        }
        self.enter(found).await
    }

    async fn enter(&self, found: Credentials) -> Result<SignedIn, ContinueWithGoogleError> {
        if found.removed {
            return Err(ContinueWithGoogleError::Removed);
        }
        self.open_session(found.account, None).await?.ok_or(ContinueWithGoogleError::Removed)
    }

    fn account_for(&self, identity: &GoogleIdentity) -> NewAccount {
        let called = identity.name.as_deref().and_then(|name| Text::new(name).ok());
        let picture = identity.picture.as_deref().and_then(|url| url.parse::<PictureUrl>().ok());
        let created_at = self.clock.now();
        let account = Account {
            id: AccountId::new(self.ids.fresh()),
            email: identity.email.clone(),
            display_name: called.unwrap_or_else(|| identity.email.as_name()),
            photo_url: picture,
            role: Role::Customer,
            created_at,
            email_verified_at: identity.email_verified.then_some(created_at),
        };
        NewAccount { account, password: None, google_subject: Some(identity.subject.clone()) }
    }

    fn google(&self) -> Result<&dyn GoogleSignIn, ContinueWithGoogleError> {
        self.google.as_deref().ok_or(ContinueWithGoogleError::NotOffered)
    }
}

/// A destination if it is a path of this shop, else Home: a sign-in must not send anybody elsewhere.
fn local_path(destination: &str) -> &str {
    let mut start = destination.chars();
    let rooted = start.next() == Some('/') && !matches!(start.next(), Some('/' | '\\'));
    let clean = !destination.chars().any(|c| c.is_control() || c == '\\');
    if rooted && clean { destination } else { "/" }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ports::{
        MockAccountStore, MockGoogleSignIn, MockSessionSecrets, MockSessionStore, PasswordHash, SecretHash,
        SessionSecret, SignInAttempt,
    };

    use super::*;
    use crate::testing::{credentials, shop};

    fn attempt() -> SignInAttempt {
        SignInAttempt { state: "state".into(), nonce: "nonce".into(), verifier: "verifier".into() }
    }

    fn google(email_verified: bool) -> Arc<MockGoogleSignIn> {
        let mut google = MockGoogleSignIn::new();
        google.expect_open().returning(|sealed| (sealed == "ours").then(|| (attempt(), "/shop".into())));
        google.expect_redeem().returning(move |_, code| {
            if code != "code" {
                return Err(SignInRefused::Unproven);
            }
            Ok(GoogleIdentity {
                subject: "sub-1".into(),
                email: "nia@example.com".parse().unwrap(),
                email_verified,
                name: Some("Nia".into()),
                picture: None,
            })
        });
        Arc::new(google)
    }

    fn shop_with(accounts: MockAccountStore, email_verified: bool) -> Shop {
        let mut secrets = MockSessionSecrets::new();
        secrets.expect_fresh().returning(|| SessionSecret::new("secret".into()));
        secrets.expect_hash().returning(|_| SecretHash([7; 32]));
        let mut sessions = MockSessionStore::new();
        sessions.expect_open().returning(|_| Ok(true));
        Shop {
            google: Some(google(email_verified)),
            accounts: Arc::new(accounts),
            session_secrets: Arc::new(secrets),
            sessions: Arc::new(sessions),
            ..shop()
        }
    }

    fn with_password() -> Credentials {
        Credentials { password: Some(PasswordHash::new("phc".into())), ..credentials("nia@example.com") }
    }

    #[tokio::test]
    async fn a_password_account_is_linked_if_google_has_verified_the_address() {
        let mut accounts = MockAccountStore::new();
        accounts.expect_by_google().returning(|_| Ok(None));
        accounts.expect_by_email().returning(|_| Ok(Some(with_password())));
        accounts.expect_link_google().times(1).returning(|_, _, _| Ok(true));
        let entered = shop_with(accounts, true).finish_google(Some("ours"), "state", "code").await;
        assert_eq!(entered.unwrap().1, "/shop");
    }

    #[tokio::test]
    async fn a_password_account_is_never_linked_on_an_unverified_address() {
        let mut accounts = MockAccountStore::new();
        accounts.expect_by_google().returning(|_| Ok(None));
        accounts.expect_by_email().returning(|_| Ok(Some(with_password())));
        let refused = shop_with(accounts, false).finish_google(Some("ours"), "state", "code").await;
        assert!(matches!(refused, Err(ContinueWithGoogleError::Unverified)));
    }

    #[tokio::test]
    async fn a_removed_person_does_not_come_back_through_google() {
        let removed = || Credentials { removed: true, ..with_password() };
        let mut linked = MockAccountStore::new();
        linked.expect_by_google().returning(move |_| Ok(Some(removed())));
        let mut same_address = MockAccountStore::new();
        same_address.expect_by_google().returning(|_| Ok(None));
        same_address.expect_by_email().returning(move |_| Ok(Some(removed())));
        for accounts in [linked, same_address] {
            let refused = shop_with(accounts, true).finish_google(Some("ours"), "state", "code").await;
            assert!(matches!(refused, Err(ContinueWithGoogleError::Removed)));
        }
    }

    #[tokio::test]
    async fn what_another_browser_began_is_not_finished_here() {
        for (sealed, state, code) in [
            (None, "state", "code"),
            (Some("forged"), "state", "code"),
            (Some("ours"), "other", "code"),
            (Some("ours"), "state", "used up"),
        ] {
            let refused = shop_with(MockAccountStore::new(), true).finish_google(sealed, state, code).await;
            assert!(matches!(refused, Err(ContinueWithGoogleError::Unproven)), "{sealed:?} {state} {code}");
        }
    }

    #[test]
    fn a_sign_in_leads_to_a_path_of_this_shop_and_nowhere_else() {
        assert_eq!(local_path("/product/1?a=b"), "/product/1?a=b");
        for elsewhere in ["", "https://evil.example", "//evil.example", "/\\evil.example", "/a\r\nb", "shop"] {
            assert_eq!(local_path(elsewhere), "/", "{elsewhere:?}");
        }
    }
}
