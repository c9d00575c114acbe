//! The vehicles of one's own garage. A VIN in it is shown to its owner alone: it stands in no address, and no answer here
//! may be kept by a cache.

pub(crate) mod add;
pub(crate) mod edit;
pub(crate) mod list;
pub(crate) mod merge;
pub(crate) mod remove;
mod view;
