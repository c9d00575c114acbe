//! Feeds: files by which many products change together.

mod cells;
pub mod columns;
pub mod feed;
pub mod file;
pub mod row;
