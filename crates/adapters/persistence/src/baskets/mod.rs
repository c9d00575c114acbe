//! Carts, saved lists, and parts by many numbers at once.

mod carts;
mod lines;
mod lists;
mod numbers;
