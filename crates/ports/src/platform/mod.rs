//! Time, ids, idempotency, health, pages of lists, patience, limits on requests, traces, and how stores and providers fail.

pub mod clock;
pub mod error;
pub mod health;
pub mod idempotency;
pub mod page;
pub mod patience;
pub mod rate_limits;
pub(crate) mod secret_text;
pub mod traces;
