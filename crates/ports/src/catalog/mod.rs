//! Products, reviews and pictures.

pub mod changes;
pub mod counting;
pub mod fitments;
pub mod images;
pub mod index;
pub mod ordered_parts;
pub mod pages;
pub mod parts;
pub mod products;
pub mod reviews;
pub mod search;
