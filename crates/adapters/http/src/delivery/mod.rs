//! Shipping methods on the wire.

mod refusals;
pub(crate) mod shipping_methods;
pub(crate) mod unweighed;
