//! Placing, cancelling, shipping and reading orders.

pub(crate) mod cancel_abandoned;
pub(crate) mod cancel_order;
pub(crate) mod expire_orders;
pub(crate) mod overview;
pub(crate) mod place_order;
pub(crate) mod read_orders;
pub(crate) mod ship_order;
