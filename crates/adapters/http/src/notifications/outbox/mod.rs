//! The outbox: e-mails to customers, and calls to webhook subscriptions.

pub(crate) mod list;
pub(crate) mod retry;
pub(crate) mod retry_all;
