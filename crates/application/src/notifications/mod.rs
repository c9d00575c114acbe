//! Delivering e-mails and webhooks, and managing webhook subscriptions.

pub(crate) mod account_emails;
pub(crate) mod deliver_emails;
pub(crate) mod deliver_webhooks;
pub(crate) mod deliveries;
pub(crate) mod delivery_lanes;
pub(crate) mod emails;
#[cfg(test)]
pub(crate) mod fake_outbox;
#[cfg(test)]
mod golden_emails;
pub(crate) mod subscriptions;
pub(crate) mod unconfirmed_email;
