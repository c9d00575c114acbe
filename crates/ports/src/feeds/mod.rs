//! Feeds: their files, their history, and the work on them.

pub mod repository;
pub mod vehicle_names;
pub mod work;
