//! Payments, refunds and disputes.

pub mod payment;
pub mod refund;
