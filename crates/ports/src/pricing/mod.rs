//! What a unit costs.

pub mod repository;
