//! Webhook subscriptions and deliveries.

pub(crate) mod outbox;
mod refusals;
pub(crate) mod subscriptions;
