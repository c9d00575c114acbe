//! What a unit costs.

pub(crate) mod ladder_json;
mod lists;
mod repository;
