//! Products, their stock, and reviews.

pub(crate) mod arrivals;
pub(crate) mod changes;
pub(crate) mod edits;
mod finding;
pub(crate) mod imports;
pub(crate) mod lists;
pub(crate) mod products;
pub(crate) mod reviews;
pub(crate) mod rows;
pub(crate) mod stock_changes;
