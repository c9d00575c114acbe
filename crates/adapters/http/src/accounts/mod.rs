//! Signing up and in, accounts, profiles and sessions.

pub(crate) mod account_links;
pub(crate) mod auth;
pub(crate) mod google;
pub(crate) mod newsletter;
pub(crate) mod profiles;
pub(crate) mod sessions;
pub(crate) mod users;
