//! Signing in with a Google account.

use async_trait::async_trait;
use domain::{AccountId, Email};
use thiserror::Error;

use crate::ProviderError;

/// What the shop remembers between sending a browser to Google and seeing it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInAttempt {
    /// What comes back beside the code; ties the answer to this browser.
    pub state: String,
    /// What comes back inside the ID token; ties the token to this attempt.
    pub nonce: String,
    /// The secret behind the PKCE challenge (RFC 7636).
    pub verifier: String,
    /// The account that the Google account shall be linked to; `None` for a sign-in.
    pub link_to: Option<AccountId>,
}

/// A Google account, by what never changes about it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GoogleSubject {
    /// Which provider says so.
    pub issuer: String,
    /// Its `sub` of the account: stable, unlike the address.
    pub subject: String,
}

/// Who Google says that somebody is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoogleIdentity {
    /// Which Google account it is.
    pub google: GoogleSubject,
    /// Their address.
    pub email: Email,
    /// Whether Google's word on the address counts: it has verified it, and it runs the address's mail or its organisation's
    /// accounts. Of any other address it only knows what was true once.
    pub speaks_for_email: bool,
    /// Their name, if they told.
    pub name: Option<String>,
    /// Their picture, if they have one.
    pub picture: Option<String>,
}

/// Why a code proves nothing.
#[derive(Debug, Error)]
pub enum SignInRefused {
    /// The code is unknown, used up, or not of this attempt; or the ID token does not check out.
    #[error("the sign-in could not be confirmed")]
    Unproven,
    /// The provider failed.
    #[error(transparent)]
    Provider(#[from] ProviderError),
}

/// An `OpenID` provider with the authorization code flow.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait GoogleSignIn: Send + Sync {
    /// A fresh attempt, with 128 random bits or more in each of its parts.
    fn begin(&self) -> SignInAttempt;

    /// Where to send the browser for this attempt.
    async fn address(&self, attempt: &SignInAttempt) -> Result<String, ProviderError>;

    /// Redeems the code that came back, once, for who somebody is.
    async fn redeem(&self, attempt: &SignInAttempt, code: &str) -> Result<GoogleIdentity, SignInRefused>;

    /// Packs an attempt and where the browser wants to go into a string that only this shop can have made, good for
    /// ten minutes, for a cookie.
    fn seal(&self, attempt: &SignInAttempt, destination: &str) -> String;

    /// Unpacks what [`GoogleSignIn::seal`] packed; `None` if it is not ours or too old.
    fn open(&self, sealed: &str) -> Option<(SignInAttempt, String)>;
}

/// One of the made-up people that the sandbox offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxPerson {
    /// Who they would be at Google.
    pub identity: GoogleIdentity,
}

/// The sandbox's side of the browser: a page that offers people, where Google would ask for a password.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait SandboxPeople: Send + Sync {
    /// The people on offer.
    fn people(&self) -> Vec<SandboxPerson>;

    /// A code for one of them, good once and for a minute, tied to the attempt's `nonce` and PKCE `challenge`.
    /// `None` for a subject that is not on offer.
    fn choose(&self, subject: &str, nonce: &str, challenge: &str) -> Option<String>;
}
