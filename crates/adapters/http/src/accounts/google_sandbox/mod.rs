//! The stand-in for Google's pages (`demo` only).

pub(crate) mod choose;
pub(crate) mod people;
pub(crate) mod style;
pub(crate) mod visit;
