//! What is for sale, how many are there, and what customers say of it.

pub mod picture;
pub mod product;
pub mod quantity;
pub mod review;
pub mod stock;
