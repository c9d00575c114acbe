//! Payments, refunds, disputes, and what the provider sends.

pub(crate) mod attention;
pub(crate) mod confirm_sandbox_payment;
pub(crate) mod open;
pub(crate) mod provider_events;
pub(crate) mod settle;
