//! What every subject uses: idempotency, clocks, and deleting old data.

pub(crate) mod compare_clocks;
pub(crate) mod forget;
pub(crate) mod ports;
pub(crate) mod run_idempotent;
