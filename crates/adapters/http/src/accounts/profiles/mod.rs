//! The profiles of customers.

pub(crate) mod edit;
pub(crate) mod fields;
pub(crate) mod fill;
pub(crate) mod get;
