//! Choosing another password.

pub(crate) mod change;
pub(crate) mod forgot;
pub(crate) mod reset;
