//! Orders.

pub mod notes;
pub mod repository;
