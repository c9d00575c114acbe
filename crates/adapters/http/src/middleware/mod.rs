//! What every request goes through: limits, authentication, idempotency keys, logging.

pub(crate) mod client_address;
pub(crate) mod content_policy;
pub(crate) mod foreign;
pub(crate) mod gate;
pub(crate) mod idempotency;
pub(crate) mod known_host;
pub(crate) mod lifecycle;
pub(crate) mod observe;
