//! Time, ids, idempotency, health, and how stores and providers fail.

pub mod clock;
pub mod error;
pub mod health;
pub mod idempotency;
