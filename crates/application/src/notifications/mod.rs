//! Delivering e-mails and webhooks, and managing webhook subscriptions.

pub(crate) mod deliver_emails;
pub(crate) mod deliver_webhooks;
pub(crate) mod deliveries;
pub(crate) mod delivery_lanes;
#[cfg(test)]
pub(crate) mod fake_outbox;
pub(crate) mod notification;
pub(crate) mod subscriptions;
pub(crate) mod unconfirmed_email;
