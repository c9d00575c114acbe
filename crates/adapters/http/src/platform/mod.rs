//! The shop's settings for the client, and its health.

pub(crate) mod shop_info;
