//! Quick orders, carts and saved lists: what somebody is about to order.

pub mod basket;
mod cells;
mod header;
pub mod judge;
pub mod line;
pub mod note;
pub mod quick_order;
mod reading;
pub mod units;
