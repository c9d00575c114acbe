//! Products, their stock, and reviews.

pub(crate) mod arrivals;
mod candidates;
pub(crate) mod changes;
mod conditions;
mod coverage;
mod documents;
pub(crate) mod edits;
mod facets;
pub(crate) mod facts;
mod finding;
pub(crate) mod fitments;
mod fitting;
mod followers;
pub(crate) mod imports;
pub(crate) mod lists;
mod ordered_parts;
mod pages;
pub(crate) mod part_numbers;
mod parts;
mod pictures;
pub(crate) mod products;
pub(crate) mod reviews;
pub(crate) mod rows;
mod search;
pub(crate) mod stock_changes;
pub(crate) mod ways;
mod words;
