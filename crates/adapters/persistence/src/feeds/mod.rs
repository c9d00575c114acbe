//! Feeds: their files, their history, and the work on them.

mod apply;
mod job;
mod reading;
pub(crate) mod records;
mod repository;
mod rows;
mod spans;
mod staging;
mod work;
