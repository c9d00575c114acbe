//! Payments, refunds, disputes, and what the provider sends.

pub(crate) mod attention;
pub(crate) mod payments;
pub(crate) mod provider_events;
pub(crate) mod sandbox;
