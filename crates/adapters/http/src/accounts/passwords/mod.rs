//! Choosing another password.

pub(crate) mod change;
pub(crate) mod request_reset;
pub(crate) mod reset;
