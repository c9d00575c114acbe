//! The stand-in for Google's pages (`demo` only).

pub(crate) mod choose;
pub(crate) mod list;
pub(crate) mod style;
pub(crate) mod visit;
