//! Pictures on the wire, one file per action.

pub(crate) mod get;
pub(crate) mod upload;
