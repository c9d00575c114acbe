//! Orders and their timelines.

pub mod contact;
pub mod event;
pub mod order;
