//! Confirming the address of an account.

pub(crate) mod confirm;
pub(crate) mod delete;
pub(crate) mod get;
pub(crate) mod request;
pub(crate) mod take_over;
pub(crate) mod token;
