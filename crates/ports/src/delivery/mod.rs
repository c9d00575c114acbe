//! Shipping methods and addresses.

pub mod address_book;
pub mod shipping_methods;
