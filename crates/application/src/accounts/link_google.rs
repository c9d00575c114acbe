//! The ways to sign in to one's own account: listing them, and linking and unlinking Google.

use domain::accounts::access::Denied;
use domain::{AccountId, Caller};
use ports::{GoogleIdentity, GoogleLink, Linking, SessionSecret, SignInMethods, StoreError, Unlinking};
use thiserror::Error;

use crate::Shop;
use crate::accounts::continue_with_google::{ContinueWithGoogleError, Departure};

/// Why a Google account was not linked.
#[derive(Debug, Error)]
pub enum LinkGoogleError {
    /// The browser that returned from Google is not signed in to the account that it started from.
    #[error("somebody else is signed in")]
    SignedOut,
    /// The Google account belongs to another account, or this account has another Google account.
    #[error("another Google account is linked, or this one is linked elsewhere")]
    Taken,
    /// The account's address is unproved: whoever signed up may not own it.
    #[error("the address has to be confirmed first")]
    Unproved,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The result of linking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linked {
    Now,
    /// It was linked already.
    Before,
}

/// Why Google was not unlinked.
#[derive(Debug, Error)]
pub enum UnlinkGoogleError {
    #[error(transparent)]
    Denied(#[from] Denied),
    /// There is no other way to sign in to the account.
    #[error("Google is the only way into the account")]
    LastWay,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why the ways to sign in were not returned.
#[derive(Debug, Error)]
pub enum SignInMethodsError {
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The account was removed in the meantime.
    #[error("the account is gone")]
    Gone,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// The ways to sign in to the caller's account.
    ///
    /// # Errors
    /// [`SignInMethodsError`].
    pub async fn sign_in_methods(&self, caller: &Caller) -> Result<SignInMethods, SignInMethodsError> {
        self.ownership.sign_in_methods(caller.account).await?.ok_or(SignInMethodsError::Gone)
    }

    /// Starts to link a Google account to the caller's account; the caller's browser goes to Google next.
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

    /// Links the Google account that a browser returned with, if it still is signed in to the account that it started
    /// from.
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
        let proves = identity.email_is_authoritative && identity.email == caller.email;
        let link = GoogleLink { account, google: identity.google.clone(), proves, at: self.clock.now() };
        match self.ownership.link_google(&link).await? {
            Linking::Linked => Ok(Linked::Now),
            Linking::Same => Ok(Linked::Before),
            Linking::Taken => Err(LinkGoogleError::Taken),
            Linking::Unproved => Err(LinkGoogleError::Unproved),
            Linking::Gone => Err(LinkGoogleError::SignedOut),
        }
    }

    /// Unlinks Google and ends the caller's other sessions. Returns whether this call did it.
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
