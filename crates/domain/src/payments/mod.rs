//! Payments, refunds and disputes.

pub mod payable;
pub mod payment;
pub mod provider_id;
pub mod refund;
