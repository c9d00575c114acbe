//! The audit trail: what admins changed, as a chain of entries that shows if one is changed afterwards.

pub mod chain;
pub mod entry;
