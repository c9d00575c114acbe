//! Documents: what was issued, what a purchase says now, and their drawing as PDF and XML.

pub mod renderer;
pub mod repository;
