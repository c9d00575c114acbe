//! Products, reviews and pictures.

pub mod images;
pub mod products;
pub mod reviews;
