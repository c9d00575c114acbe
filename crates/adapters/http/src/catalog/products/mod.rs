//! Products on the wire, one file per action.

pub(crate) mod add;
pub(crate) mod archive;
pub(crate) mod attributes;
pub(crate) mod edit;
pub(crate) mod export;
pub(crate) mod facts;
pub(crate) mod filter;
pub(crate) mod get;
pub(crate) mod images;
pub(crate) mod import;
pub(crate) mod list;
pub(crate) mod list_archived;
pub(crate) mod restock;
pub(crate) mod restore;
