//! Accounts on the wire, one file per action in the folder of its resource.

pub(crate) mod customer;
pub(crate) mod garage;
pub(crate) mod google;
pub(crate) mod google_sandbox;
pub(crate) mod grant_admin;
pub(crate) mod is_admin;
pub(crate) mod list;
pub(crate) mod me;
pub(crate) mod newsletter;
pub(crate) mod passwords;
pub(crate) mod profiles;
mod refusals;
pub(crate) mod remove;
pub(crate) mod revoke_admin;
pub(crate) mod sessions;
pub(crate) mod sign_in;
pub(crate) mod two_step;
pub(crate) mod verification;
