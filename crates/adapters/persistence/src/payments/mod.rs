//! Payment attempts, payment events, refunds and disputes.

pub(crate) mod attaching;
mod attempts;
pub(crate) mod attention;
pub(crate) mod events;
pub(crate) mod refunds;
pub(crate) mod rows;
