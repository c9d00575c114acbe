//! A browser's way to Google.

use ports::{GoogleSignIn, SignInAttempt};
use thiserror::Error;

use crate::{Failure, SigningIn};

/// Why the sign-in failed.
#[derive(Debug, Error)]
pub enum GoogleRefused {
    /// Google is not configured.
    #[error("signing in with Google is not set up")]
    NotOffered,
    /// The response does not belong to this browser's attempt, or Google does not confirm it.
    #[error("the sign-in could not be confirmed")]
    Unproven,
    /// The account is an admin's, or is linked to another Google account.
    #[error("the account has to be signed in to before Google is linked")]
    SignInFirst,
    /// The link was used, has expired, or belongs to another browser.
    #[error("the link does not finish anything in this browser")]
    LinkGone,
    #[error("the account was removed")]
    Removed,
}

/// What a browser needs to go to Google and to be recognised when it returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoogleRedirect {
    /// The URL to send it to.
    pub address: String,
    /// The value of its cookie in the meantime.
    pub sealed: String,
}

impl SigningIn {
    /// Prepares a browser's redirect to Google for an attempt.
    pub(crate) async fn redirect_to_google(
        &self,
        attempt: &SignInAttempt,
        destination: &str,
    ) -> Result<GoogleRedirect, Failure<GoogleRefused>> {
        let google = self.google()?;
        let address = google.address(attempt).await?;
        Ok(GoogleRedirect { address, sealed: google.seal(attempt, local_path(destination)) })
    }

    pub(crate) fn google(&self) -> Result<&dyn GoogleSignIn, Failure<GoogleRefused>> {
        self.google.as_deref().ok_or(Failure::Refused(GoogleRefused::NotOffered))
    }
}

/// The destination if it is a path of this shop, else Home: a sign-in must not redirect to another site.
pub(crate) fn local_path(destination: &str) -> &str {
    let mut start = destination.chars();
    let rooted = start.next() == Some('/') && !matches!(start.next(), Some('/' | '\\'));
    let clean = !destination.chars().any(|c| c.is_control() || c == '\\');
    if rooted && clean { destination } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_in_redirects_only_to_a_path_of_this_shop() {
        assert_eq!(local_path("/product/1?a=b"), "/product/1?a=b");
        for elsewhere in ["", "https://evil.example", "//evil.example", "/\\evil.example", "/a\r\nb", "shop"] {
            assert_eq!(local_path(elsewhere), "/", "{elsewhere:?}");
        }
    }
}
