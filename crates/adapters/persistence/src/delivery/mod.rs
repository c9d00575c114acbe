//! Shipping methods and addresses.

mod address_book;
pub(crate) mod address_json;
mod shipping_methods;
