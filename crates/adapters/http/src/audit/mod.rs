//! The trail of what admins changed.

pub(crate) mod export;
mod filter;
pub(crate) mod head;
pub(crate) mod list;
mod view;
