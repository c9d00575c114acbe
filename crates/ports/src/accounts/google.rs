//! Signing in with a Google account.

use async_trait::async_trait;
use domain::{AccountId, Email};
use thiserror::Error;

use crate::ProviderError;

/// The state of a sign-in while the browser is at Google.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInAttempt {
    /// The `state` parameter, returned with the code; it binds the response to this browser.
    pub state: String,
    /// The nonce, returned in the ID token; it binds the token to this attempt.
    pub nonce: String,
    /// The secret behind the PKCE challenge (RFC 7636).
    pub verifier: String,
    /// The account to link the Google account to; `None` for a sign-in.
    pub link_to: Option<AccountId>,
}

/// A Google account's identifier, which never changes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GoogleSubject {
    /// The issuer of the ID token.
    pub issuer: String,
    /// The token's `sub` claim: stable, unlike the e-mail address.
    pub subject: String,
}

/// A user's identity according to Google.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoogleIdentity {
    /// The Google account's identifier.
    pub google: GoogleSubject,
    /// The e-mail address.
    pub email: Email,
    /// Whether Google vouches for the address: it has verified it, and it runs the address's mail or its organisation's
    /// accounts. For any other address Google knows only that it was verified at some time.
    pub email_is_authoritative: bool,
    /// The name, if the user shares it.
    pub name: Option<String>,
    /// The URL of the picture, if there is one.
    pub picture: Option<String>,
}

/// Why a sign-in is refused.
#[derive(Debug, Error)]
pub enum SignInRefused {
    /// The code is unknown, used, or of another attempt; or the ID token is invalid.
    #[error("the sign-in could not be confirmed")]
    Unproven,
    /// The provider failed.
    #[error(transparent)]
    Provider(#[from] ProviderError),
}

/// An `OpenID` Connect provider with the authorization code flow.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait GoogleSignIn: Send + Sync {
    /// A new attempt; each part has at least 128 random bits.
    fn begin(&self) -> SignInAttempt;

    /// The URL to send the browser to for this attempt.
    async fn address(&self, attempt: &SignInAttempt) -> Result<String, ProviderError>;

    /// Exchanges the code, once, for the user's identity.
    async fn redeem(&self, attempt: &SignInAttempt, code: &str) -> Result<GoogleIdentity, SignInRefused>;

    /// Seals an attempt and the browser's destination into a cookie value that only this shop can create. It expires
    /// after ten minutes.
    fn seal(&self, attempt: &SignInAttempt, destination: &str) -> String;

    /// Opens what [`GoogleSignIn::seal`] sealed; `None` if it is not ours or has expired.
    fn open(&self, sealed: &str) -> Option<(SignInAttempt, String)>;
}

/// The sandbox's sign-in page: it offers test users where Google would ask for a password.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
pub trait SandboxAccounts: Send + Sync {
    /// The test users, as Google would identify them.
    fn accounts(&self) -> Vec<GoogleIdentity>;

    /// A code for one test user, valid once and for a minute, bound to the attempt's `nonce` and PKCE `challenge`.
    /// `None` for an unknown subject.
    fn choose(&self, subject: &str, nonce: &str, challenge: &str) -> Option<String>;
}
