//! Documents: their drawing as PDF and XML.

pub mod renderer;
