//! Reviews on the wire, one file per action.

pub(crate) mod add;
pub(crate) mod list;
pub(crate) mod remove;
pub(crate) mod view;
