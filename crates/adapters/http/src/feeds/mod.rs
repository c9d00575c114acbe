//! `/feeds`.

pub(crate) mod apply;
pub(crate) mod cancel;
pub(crate) mod findings;
pub(crate) mod get;
pub(crate) mod list;
mod refusals;
pub(crate) mod samples;
pub(crate) mod send;
mod view;
