//! Pictures on the wire, one file per action.

pub(crate) mod show;
pub(crate) mod upload;
