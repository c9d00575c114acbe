//! The ways into one's own account: which there are, and adding and taking away Google.

use domain::accounts::access::Denied;
use domain::{AccountId, Caller};
use ports::{GoogleIdentity, GoogleLink, Linking, SessionSecret, SignInMethods, StoreError, Unlinking};
use thiserror::Error;

use crate::Shop;
use crate::accounts::continue_with_google::{ContinueWithGoogleError, Departure};

/// Why a Google account was not linked.
#[derive(Debug, Error)]
pub enum LinkGoogleError {
    /// The browser that came back from Google is not signed in to the account that it left from.
    #[error("somebody else is signed in")]
    SignedOut,
    /// The Google account opens another account, or this one has another Google account.
    #[error("another Google account is linked, or this one is linked elsewhere")]
    Taken,
    /// Whoever signed up may not be the address's owner.
    #[error("the address has to be confirmed first")]
    Unproved,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What came of linking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linked {
    /// It is linked now.
    Now,
    /// It was before.
    Before,
}

/// Why a link was not taken away.
#[derive(Debug, Error)]
pub enum UnlinkGoogleError {
    /// They may not.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// Nothing else opens the account.
    #[error("Google is the only way into the account")]
    LastWay,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why nothing was said about the ways in.
#[derive(Debug, Error)]
pub enum SignInMethodsError {
    /// They may not.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The account was removed in the meantime.
    #[error("the account is gone")]
    Gone,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// The ways into the caller's account.
    ///
    /// # Errors
    /// [`SignInMethodsError`].
    pub async fn sign_in_methods(&self, caller: &Caller) -> Result<SignInMethods, SignInMethodsError> {
        self.ownership.sign_in_methods(caller.account).await?.ok_or(SignInMethodsError::Gone)
    }

    /// Sends the caller's browser off to Google, whose account shall be linked to theirs.
    ///
    /// # Errors
    /// [`ContinueWithGoogleError`].
    pub async fn begin_google_link(
        &self,
        caller: &Caller,
        destination: &str,
    ) -> Result<Departure, ContinueWithGoogleError> {
        let mut attempt = self.google()?.begin();
        attempt.link_to = Some(caller.account);
        self.depart(&attempt, destination).await
    }

    /// Links the Google account that a browser came back with, if it still is signed in to the account that it left from.
    pub(crate) async fn finish_link(
        &self,
        account: AccountId,
        identity: &GoogleIdentity,
        session: Option<&SessionSecret>,
    ) -> Result<Linked, LinkGoogleError> {
        let caller = match session {
            Some(secret) => self.caller_by_cookie(secret).await?,
            None => None,
        };
        let caller = caller.filter(|caller| caller.account == account).ok_or(LinkGoogleError::SignedOut)?;
        let proves = identity.speaks_for_email && identity.email == caller.email;
        let link = GoogleLink { account, google: identity.google.clone(), proves, at: self.clock.now() };
        match self.ownership.link_google(&link).await? {
            Linking::Linked => Ok(Linked::Now),
            Linking::Same => Ok(Linked::Before),
            Linking::Taken => Err(LinkGoogleError::Taken),
            Linking::Unproved => Err(LinkGoogleError::Unproved),
            Linking::Gone => Err(LinkGoogleError::SignedOut),
        }
    }

    /// Takes the link to Google away and ends the caller's other sessions. Answers whether this call did it.
    ///
    /// # Errors
    /// [`UnlinkGoogleError`].
    pub async fn unlink_google(&self, caller: &Caller) -> Result<bool, UnlinkGoogleError> {
        match self.ownership.unlink_google(caller.account, caller.session, self.clock.now()).await? {
            Unlinking::Unlinked => Ok(true),
            Unlinking::NotLinked => Ok(false),
            Unlinking::LastWay => Err(UnlinkGoogleError::LastWay),
        }
    }
}
