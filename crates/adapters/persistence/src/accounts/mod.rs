//! Accounts, sessions, tokens, profiles and failed logins.

pub(crate) mod account_tokens;
mod code_attempts;
mod finding;
mod garage;
pub(crate) mod login_attempts;
pub(crate) mod newsletter;
pub(crate) mod owner;
pub(crate) mod ownership;
pub(crate) mod pending_sign_ins;
pub(crate) mod profiles;
pub(crate) mod repository;
pub(crate) mod rows;
pub(crate) mod second_factors;
pub(crate) mod session_cache;
pub(crate) mod sessions;
mod stored_factors;
pub(crate) mod void_tokens;
