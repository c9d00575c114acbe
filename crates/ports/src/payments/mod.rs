//! The payment provider, and what is kept of payments and refunds.

pub mod attempts;
pub mod events;
pub mod provider;
pub mod refunds;
