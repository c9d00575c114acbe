//! What a unit costs: whom, at which quantity, and when.

pub mod ladder;
pub mod price;
pub mod price_list;
pub mod unit_price;
