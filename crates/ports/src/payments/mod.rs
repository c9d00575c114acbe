//! The payment provider, and the repositories for payments, refunds and the provider's events.

pub mod attempts;
pub mod events;
pub mod gateway;
pub mod provider;
pub mod refunds;
