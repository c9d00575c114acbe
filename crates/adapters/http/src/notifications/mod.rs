//! Webhook subscriptions and deliveries.

pub(crate) mod outbox;
pub(crate) mod subscriptions;
