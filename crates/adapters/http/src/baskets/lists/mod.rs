//! The saved lists of the caller.

pub(crate) mod add;
pub(crate) mod check;
pub(crate) mod edit;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod remove;
