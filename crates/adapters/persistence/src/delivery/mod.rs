//! Shipping methods and addresses.

mod shipping_methods;
