//! Reviews on the wire, one file per action.

pub(crate) mod add;
pub(crate) mod list;
pub(crate) mod list_hidden;
pub(crate) mod of_part;
pub(crate) mod remove;
pub(crate) mod restore;
pub(crate) mod view;
