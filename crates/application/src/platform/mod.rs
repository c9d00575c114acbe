//! What every subject uses: clocks, and deleting old data.

pub(crate) mod compare_clocks;
pub(crate) mod concurrent;
pub(crate) mod forget;
pub(crate) mod moments;
