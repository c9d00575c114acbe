//! Quick orders, carts and saved lists on the wire, one file per action.

pub(crate) mod cart;
mod lines;
pub(crate) mod lists;
pub(crate) mod quick_order;
mod refusals;
pub(crate) mod reorder;
mod view;
