//! Carts and saved lists.

pub mod carts;
pub mod lists;
