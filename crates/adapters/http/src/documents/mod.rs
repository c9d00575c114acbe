//! `/invoices`, packing slips, confirmations and `/seller`.

pub(crate) mod invoices;
pub(crate) mod of_checkout;
pub(crate) mod of_order;
pub(crate) mod seller;
mod sent;
