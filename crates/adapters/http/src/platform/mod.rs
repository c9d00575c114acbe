//! What the client needs to know of the shop, and its health.

pub(crate) mod shop_info;
