//! Signing up, signing in, and what an account can change.

pub(crate) mod change_password;
pub(crate) mod change_role;
pub(crate) mod continue_with_google;
pub(crate) mod identify;
pub(crate) mod issue_account_token;
pub(crate) mod issue_token;
pub(crate) mod link_google;
pub(crate) mod list_accounts;
pub(crate) mod log_in;
pub(crate) mod log_out;
pub(crate) mod login_lanes;
pub(crate) mod my_account;
pub(crate) mod profiles;
pub(crate) mod read_role;
pub(crate) mod remove_account;
pub(crate) mod request_password_reset;
pub(crate) mod request_verification;
pub(crate) mod reset_password;
pub(crate) mod sessions;
pub(crate) mod sign_up;
pub(crate) mod subscribe;
pub(crate) mod upload_photo;
pub(crate) mod verify_email;
