//! The sessions of an account, and the access tokens issued from them.

pub(crate) mod end;
pub(crate) mod end_others;
pub(crate) mod issue_token;
pub(crate) mod list;
