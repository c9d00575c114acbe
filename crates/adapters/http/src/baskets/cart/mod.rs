//! The cart of the caller. What it is compared with is the version in its `ETag`.

pub(crate) mod get;
pub(crate) mod merge;
pub(crate) mod put;
mod seen;
pub(super) mod view;
