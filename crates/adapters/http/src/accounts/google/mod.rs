//! Sign-in with Google, one file per action.

pub(crate) mod begin;
pub(crate) mod begin_link;
pub(crate) mod cookies;
pub(crate) mod finish;
pub(crate) mod finish_by_email;
pub(crate) mod methods;
pub(crate) mod unlink;
