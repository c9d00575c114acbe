//! How values are represented on the wire.

pub(crate) mod array;
pub(crate) mod batches;
pub(crate) mod counts;
pub(crate) mod csv;
pub(crate) mod cursor;
pub(crate) mod enums;
pub(crate) mod fields;
pub(crate) mod form;
pub(crate) mod money;
pub(crate) mod page;
pub(crate) mod query;
pub(crate) mod whole;
