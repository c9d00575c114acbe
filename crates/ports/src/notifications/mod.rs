//! The outbox, and how e-mails and webhooks are sent.

pub mod email;
pub mod notification;
pub mod outbox;
pub mod webhooks;
