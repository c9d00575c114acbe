//! What the shop sends by itself: e-mails and webhooks.

pub mod delivery;
pub mod webhook_subscription;
