//! Carts, saved lists, and parts by many numbers at once.

pub mod carts;
pub mod lists;
pub mod numbers;
