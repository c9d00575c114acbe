//! What clients read when a use case of the accounts refuses.

use std::time::Duration;

use actix_web::http::StatusCode;
use application::{
    AccountRemoved, AddFactorRefused, ChangePasswordRefused, ChangeRoleRefused, GarageRefused, GoogleRefused,
    LastSignInMethod, LinkGoogleRefused, LogInRefused, NoFactor, ProveRefused, RemoveAccountRefused,
    RemoveFactorRefused, ResetPasswordRefused, TokenUnsigned, UploadPhotoRefused, VerifyEmailRefused,
};
use domain::{EmailTaken, GARAGE_MAX, SecondFactorNeeded};

use crate::problem::{FieldError, Problem};

impl From<EmailTaken> for Problem {
    fn from(_: EmailTaken) -> Self {
        let message = "An account with this email already exists. Please log in.";
        Self::conflict("email-taken", "E-mail taken", message)
            .about(vec![FieldError { field: "email".into(), message: message.into() }])
    }
}

impl From<LogInRefused> for Problem {
    fn from(refused: LogInRefused) -> Self {
        match refused {
            LogInRefused::Wrong => {
                let message = "Incorrect email or password.";
                Self::new(StatusCode::UNAUTHORIZED, "wrong-credentials", "Wrong credentials", message)
            }
            LogInRefused::TooMany { wait } => {
                let message =
                    format!("Too many failed attempts. Try again in {} or reset your password.", minutes(wait));
                Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many-attempts", "Too many attempts", message)
                    .retry_after(wait)
            }
        }
    }
}

fn minutes(wait: Duration) -> String {
    match wait.as_secs().div_ceil(60) {
        0 | 1 => "1 minute".to_owned(),
        minutes => format!("{minutes} minutes"),
    }
}

impl From<SecondFactorNeeded> for Problem {
    fn from(needed: SecondFactorNeeded) -> Self {
        let (slug, title, message) = match needed {
            SecondFactorNeeded::Proof => {
                ("second-factor-required", "Second step needed", "Finish logging in with your second step")
            }
            SecondFactorNeeded::FreshProof => {
                ("second-factor-again", "Confirm it's you", "Confirm with your second step that it's you")
            }
            SecondFactorNeeded::Enrolment => (
                "second-factor-missing",
                "No second factor",
                "Admins need two-step verification: turn it on in your profile to continue",
            ),
            SecondFactorNeeded::FreshSignIn => {
                ("sign-in-again", "Log in again", "Log in again to change how you log in")
            }
        };
        // Soon there may be a proof: under its key the request is not refused for a day.
        Self::new(StatusCode::FORBIDDEN, slug, title, message).retryable()
    }
}

impl From<AddFactorRefused> for Problem {
    fn from(refused: AddFactorRefused) -> Self {
        match refused {
            AddFactorRefused::Unproved => {
                let message = "Confirm your email before you turn on two-step verification.";
                Self::conflict("unproved", "Address not confirmed", message)
            }
            AddFactorRefused::NoPasskeysHere => {
                let message = "Passkeys don't work at this address. Use an authenticator app.";
                Self::conflict("no-passkeys-here", "No passkeys here", message)
            }
            AddFactorRefused::ChallengeGone => {
                let message = "That took too long. Please start again.";
                Self::conflict("challenge-gone", "Not asked, or too late", message)
            }
            AddFactorRefused::WrongCode => wrong_code(),
            AddFactorRefused::Passkey => {
                Self::invalid_field("credential", "We couldn't add this passkey. Try another one.")
            }
            AddFactorRefused::Unsealed => Self::defect(&refused),
        }
    }
}

impl From<RemoveFactorRefused> for Problem {
    fn from(refused: RemoveFactorRefused) -> Self {
        match refused {
            RemoveFactorRefused::LastOne => {
                let message = "An admin needs two-step verification. Add another passkey or app first.";
                Self::conflict("last-second-factor", "Last second factor", message)
            }
        }
    }
}

impl From<NoFactor> for Problem {
    fn from(_: NoFactor) -> Self {
        Self::conflict("no-second-factor", "No second factor", "Two-step verification isn't turned on.")
    }
}

impl From<ProveRefused> for Problem {
    fn from(refused: ProveRefused) -> Self {
        match refused {
            ProveRefused::NoFactor => NoFactor.into(),
            ProveRefused::WrongCode => wrong_code(),
            ProveRefused::Passkey => {
                Self::invalid_field("credential", "We couldn't confirm that passkey. Please try again.")
            }
            ProveRefused::TooMany { wait } => {
                let message = format!("Too many wrong codes. Try again in {} or use a recovery code.", minutes(wait));
                Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many-attempts", "Too many attempts", message)
                    .retry_after(wait)
            }
        }
    }
}

fn wrong_code() -> Problem {
    Problem::invalid_field("code", "That code isn't right. Check the app and try again.")
}

impl From<GarageRefused> for Problem {
    fn from(refused: GarageRefused) -> Self {
        match refused {
            GarageRefused::Full(_) => {
                let message = format!("Your garage holds up to {GARAGE_MAX} vehicles. Remove one to add another.");
                Self::conflict("garage-full", "Garage full", message).with("most", GARAGE_MAX)
            }
            GarageRefused::Unsealed => Self::defect(&refused),
        }
    }
}

impl From<ChangePasswordRefused> for Problem {
    fn from(refused: ChangePasswordRefused) -> Self {
        match refused {
            ChangePasswordRefused::NoPassword => {
                let message = "You sign in with Google, so your account has no password yet. Use \"Forgot your password?\" to set one.";
                Self::conflict("no-password", "No password", message)
            }
            ChangePasswordRefused::Current(LogInRefused::Wrong) => {
                Self::invalid_field("currentPassword", "This isn't your current password")
            }
            ChangePasswordRefused::Current(refused) => refused.into(),
            ChangePasswordRefused::Weak(weak) => Self::invalid_field("newPassword", weak.to_string()),
        }
    }
}

impl From<AccountRemoved> for Problem {
    fn from(_: AccountRemoved) -> Self {
        Self::unauthenticated()
    }
}

impl From<UploadPhotoRefused> for Problem {
    fn from(refused: UploadPhotoRefused) -> Self {
        match refused {
            UploadPhotoRefused::Image(refused) => refused.into(),
            UploadPhotoRefused::Removed(removed) => removed.into(),
        }
    }
}

impl From<ResetPasswordRefused> for Problem {
    fn from(refused: ResetPasswordRefused) -> Self {
        match refused {
            ResetPasswordRefused::LinkGone => Self::link_gone(),
            ResetPasswordRefused::Weak(weak) => Self::invalid_field("password", weak.to_string()),
        }
    }
}

impl From<VerifyEmailRefused> for Problem {
    fn from(refused: VerifyEmailRefused) -> Self {
        match refused {
            VerifyEmailRefused::LinkGone => Self::link_gone(),
            VerifyEmailRefused::OwnershipNotProved => {
                let message = "Log in to this account, or enter its password, to confirm the email.";
                Self::conflict("confirm-as-owner", "Not shown to be yours", message)
            }
            VerifyEmailRefused::WrongPassword => {
                Self::invalid_field("password", "This isn't the password for the account")
            }
            VerifyEmailRefused::Admin => {
                let message = "An admin's account can't be taken over or deleted with a link. Log in to it instead.";
                Self::conflict("admin-stays", "An admin's account", message)
            }
            VerifyEmailRefused::Weak(weak) => Self::invalid_field("password", weak.to_string()),
        }
    }
}

impl From<GoogleRefused> for Problem {
    fn from(refused: GoogleRefused) -> Self {
        match refused {
            GoogleRefused::NotOffered => Self::not_found(),
            GoogleRefused::Unproven => {
                let message = "We couldn't confirm your Google sign-in. Please try again.";
                Self::new(StatusCode::BAD_REQUEST, "google-unproven", "Sign-in not confirmed", message)
            }
            GoogleRefused::SignInFirst => {
                let message = "Log in with your password, then add Google in your profile.";
                Self::conflict("google-sign-in-first", "Log in first", message)
            }
            GoogleRefused::LinkGone => Self::link_gone()
                .saying("This link has expired, has already been used, or was requested in another browser."),
            GoogleRefused::Removed => {
                let message = "This account has been closed. Contact us if you think that's a mistake.";
                Self::new(StatusCode::UNAUTHORIZED, "removed", "Account removed", message)
            }
        }
    }
}

impl From<LinkGoogleRefused> for Problem {
    fn from(refused: LinkGoogleRefused) -> Self {
        match refused {
            LinkGoogleRefused::SignedOut => Self::unauthenticated(),
            LinkGoogleRefused::Taken => {
                let message = "This Google account is already linked to another account, or yours is linked to another Google account.";
                Self::conflict("google-taken", "Linked elsewhere", message)
            }
            LinkGoogleRefused::Unproved => {
                let message = "Confirm your email before you add Google.";
                Self::conflict("unproved", "Address not confirmed", message)
            }
        }
    }
}

impl From<LastSignInMethod> for Problem {
    fn from(_: LastSignInMethod) -> Self {
        let message = "Google is your only way to log in. Set a password first.";
        Self::conflict("last-way-in", "Last way in", message)
    }
}

impl From<TokenUnsigned> for Problem {
    fn from(defect: TokenUnsigned) -> Self {
        Self::defect(&defect)
    }
}

impl From<ChangeRoleRefused> for Problem {
    fn from(refused: ChangeRoleRefused) -> Self {
        match refused {
            ChangeRoleRefused::Unknown => Self::not_found(),
            ChangeRoleRefused::LastAdmin => {
                Self::conflict("last-admin", "Last admin", "There must be at least one admin.")
            }
            ChangeRoleRefused::Unproved => {
                let message = "This email isn't verified yet, so the account can't become an admin.";
                Self::conflict("unproved", "Address not confirmed", message)
            }
        }
    }
}

impl From<RemoveAccountRefused> for Problem {
    fn from(refused: RemoveAccountRefused) -> Self {
        match refused {
            RemoveAccountRefused::Unknown => Self::not_found(),
            RemoveAccountRefused::Oneself => {
                Self::conflict("conflict", "Oneself", "You can't remove your own account.")
            }
            RemoveAccountRefused::LastAdmin => {
                Self::conflict("last-admin", "Last admin", "You can't remove the last admin.")
            }
        }
    }
}
