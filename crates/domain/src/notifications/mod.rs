//! Notifications: e-mails and webhook deliveries.

pub mod delivery;
pub mod webhook_subscription;
