//! Carts and saved lists.

mod carts;
mod lines;
mod lists;
