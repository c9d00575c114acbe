//! Shipping methods, addresses and countries on the wire.

pub(crate) mod address;
pub(crate) mod addresses;
pub(crate) mod countries;
mod refusals;
pub(crate) mod shipping_methods;
pub(crate) mod unweighed;
