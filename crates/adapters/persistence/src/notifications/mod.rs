//! The outbox and the webhook subscriptions.

pub(crate) mod outbox;
pub(crate) mod rows;
pub(crate) mod subscriptions;
pub(crate) mod unconfirmed_email;
