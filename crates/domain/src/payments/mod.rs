//! Payments, refunds and disputes.

pub mod bearing;
pub mod payable;
pub mod payment;
pub mod provider_id;
pub mod refund;
