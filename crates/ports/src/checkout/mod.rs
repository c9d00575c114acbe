//! What is bought together.

pub mod repository;
