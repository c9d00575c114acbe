//! Orders.

pub mod notes;
pub mod repository;
pub mod returns;
pub mod sales;
pub mod shipments;
