//! The outbox, and how e-mails and webhooks leave.

pub mod email;
pub mod outbox;
pub mod webhooks;
