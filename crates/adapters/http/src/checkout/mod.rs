//! Checkouts: what is bought together.

pub(crate) mod body;
pub(crate) mod cancel;
pub(crate) mod check;
pub(crate) mod export;
pub(crate) mod freight;
pub(crate) mod get;
mod invoices;
pub(crate) mod list;
pub(crate) mod listed;
pub(crate) mod place;
pub(crate) mod refusals;
pub(crate) mod settle;
pub(crate) mod view;
