//! Products, their stock, and customers' reviews.

pub mod edit;
pub mod product;
pub mod quantity;
pub mod review;
pub mod stock;
