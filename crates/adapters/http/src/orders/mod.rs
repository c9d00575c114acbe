//! Orders on the wire.

pub(crate) mod orders;
pub(crate) mod overview;
