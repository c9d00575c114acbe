//! Shipping methods and addresses.

pub mod shipping_methods;
