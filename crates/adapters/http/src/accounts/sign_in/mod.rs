//! Signing up, in and out with a password.

pub(crate) mod cookies;
pub(crate) mod log_in;
pub(crate) mod log_out;
pub(crate) mod sign_up;
