//! The trail of what admins changed.

pub mod scope;
pub mod trail;
