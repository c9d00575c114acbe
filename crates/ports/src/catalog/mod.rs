//! Products, reviews and pictures.

pub mod changes;
pub mod images;
pub mod products;
pub mod reviews;
