//! `/invoices`.

pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod pdf;
pub(crate) mod view;
pub(crate) mod xml;
