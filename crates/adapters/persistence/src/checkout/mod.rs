//! What is bought together.

mod lists;
mod placing;
mod repository;
mod rows;
