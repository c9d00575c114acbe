//! What every subject needs: idempotency, clocks, forgetting.

pub(crate) mod compare_clocks;
pub(crate) mod forget;
pub(crate) mod run_idempotent;
