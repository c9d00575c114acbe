//! What clients read when a use case of the accounts refuses.

use actix_web::http::StatusCode;
use application::{
    AccountRemoved, ChangePasswordRefused, ChangeRoleRefused, GoogleRefused, LastSignInMethod, LinkGoogleRefused,
    LogInRefused, RemoveAccountRefused, ResetPasswordRefused, TokenUnsigned, UploadPhotoRefused, VerifyEmailRefused,
};
use domain::EmailTaken;

use crate::problem::{FieldError, Problem};

impl From<EmailTaken> for Problem {
    fn from(_: EmailTaken) -> Self {
        let message = "An account with this email exists already, please log in";
        Self::conflict("email-taken", "E-mail taken", message)
            .about(vec![FieldError { field: "email".into(), message: message.into() }])
    }
}

impl From<LogInRefused> for Problem {
    fn from(refused: LogInRefused) -> Self {
        match refused {
            LogInRefused::Wrong => {
                let message = "The email or the password is wrong";
                Self::new(StatusCode::UNAUTHORIZED, "wrong-credentials", "Wrong credentials", message)
            }
            LogInRefused::TooMany { wait } => {
                let minutes = wait.as_secs().div_ceil(60);
                let message = format!("Too many wrong passwords, please try again in {minutes} minutes");
                Self::new(StatusCode::TOO_MANY_REQUESTS, "too-many-attempts", "Too many attempts", message)
                    .retry_after(wait)
            }
        }
    }
}

impl From<ChangePasswordRefused> for Problem {
    fn from(refused: ChangePasswordRefused) -> Self {
        match refused {
            ChangePasswordRefused::NoPassword => {
                let message = "Your account has no password yet: you sign in with Google. \"Forgot your password?\" sends you a link to choose one";
                Self::conflict("no-password", "No password", message)
            }
            ChangePasswordRefused::Current(LogInRefused::Wrong) => {
                Self::invalid_field("currentPassword", "This is not your current password")
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
                let message = "Please log in to this account or type its password to confirm the address";
                Self::conflict("confirm-as-owner", "Not shown to be yours", message)
            }
            VerifyEmailRefused::WrongPassword => {
                Self::invalid_field("password", "This is not the password of the account")
            }
            VerifyEmailRefused::Admin => {
                let message = "An admin's account cannot be deleted by a link";
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
                let message = "The sign-in with Google could not be confirmed, please try again";
                Self::new(StatusCode::BAD_REQUEST, "google-unproven", "Sign-in not confirmed", message)
            }
            GoogleRefused::SignInFirst => {
                let message = "Please log in with your password, then link Google on your profile";
                Self::conflict("google-sign-in-first", "Log in first", message)
            }
            GoogleRefused::LinkGone => {
                Self::link_gone().saying("This link has been used, is too old, or was asked for in another browser")
            }
            GoogleRefused::Removed => {
                let message = "This account has been removed";
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
                let message = "This Google account is linked to another account, or yours to another Google account";
                Self::conflict("google-taken", "Linked elsewhere", message)
            }
            LinkGoogleRefused::Unproved => {
                let message = "Please confirm your address before you link Google";
                Self::conflict("unproved", "Address not confirmed", message)
            }
        }
    }
}

impl From<LastSignInMethod> for Problem {
    fn from(_: LastSignInMethod) -> Self {
        let message = "Google is your only way to log in. Choose a password first";
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
                Self::conflict("last-admin", "Last admin", "The last admin has to stay one")
            }
            ChangeRoleRefused::Unproved => {
                let message = "This address is not confirmed yet, so it cannot become an admin's";
                Self::conflict("unproved", "Address not confirmed", message)
            }
        }
    }
}

impl From<RemoveAccountRefused> for Problem {
    fn from(refused: RemoveAccountRefused) -> Self {
        match refused {
            RemoveAccountRefused::Unknown => Self::not_found(),
            RemoveAccountRefused::Oneself => Self::conflict("conflict", "Oneself", "You cannot remove yourself"),
            RemoveAccountRefused::LastAdmin => {
                Self::conflict("last-admin", "Last admin", "The last admin cannot be removed")
            }
        }
    }
}
