//! The connection pools, row decoding, search, the idempotency keys, and limits on requests.

pub(crate) mod changes;
pub(crate) mod condition;
pub(crate) mod db;
pub(crate) mod decode;
pub(crate) mod delete_batch;
pub(crate) mod examine;
pub(crate) mod finding;
pub(crate) mod idempotency;
pub(crate) mod idempotency_claims;
pub(crate) mod idempotency_store;
mod listener;
pub(crate) mod page;
pub(crate) mod pooled;
mod rate_limits;
mod replication;
pub(crate) mod row_versions;
pub(crate) mod search;
pub(crate) mod shared_clock;
pub(crate) mod sql_file;
