//! Finds products with OpenSearch, for shops that outgrow the search in Postgres.
//!
//! An index holds by what products are found, and is never asked for anything else: what they cost, how many there are and
//! who may see them is read from the database for each product that was found. So an index that is late can show a wrong
//! order, and leave out or bring what a filter on price or stock would have decided otherwise, but it cannot sell a wrong
//! thing.
//!
//! What this crate uses of OpenSearch is in its versions from 2.15 on, which have the field type `wildcard`.

mod client;
mod document;
mod engine;
mod facets;
mod failed;
mod fallback;
mod filters;
mod names;
mod search;
mod ways;

pub use client::{AddressRefused, EngineAddress, OpenSearch, SetUpError};
pub use fallback::FallingBack;

#[cfg(test)]
mod tests;
