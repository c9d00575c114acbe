//! What every request goes through: limits, authentication, idempotency keys, logging, traces.

pub(crate) mod attribution;
pub(crate) mod auth;
pub(crate) mod body;
pub(crate) mod client_address;
pub(crate) mod content_policy;
pub(crate) mod enforce;
pub(crate) mod foreign;
pub(crate) mod idempotency;
pub(crate) mod known_host;
pub(crate) mod lifecycle;
pub(crate) mod observe;
pub(crate) mod panics;
pub(crate) mod rate_limit;
pub(crate) mod reuse;
pub(crate) mod shedding;
pub(crate) mod trace;
