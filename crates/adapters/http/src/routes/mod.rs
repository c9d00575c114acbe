//! The handlers, by what they are about. Each parses, calls one deed, and renders.

pub(crate) mod account_links;
pub(crate) mod attention;
pub(crate) mod auth;
pub(crate) mod endpoints;
pub(crate) mod google;
pub(crate) mod images;
pub(crate) mod info;
pub(crate) mod newsletter;
pub(crate) mod orders;
pub(crate) mod outbox;
pub(crate) mod overview;
pub(crate) mod payments;
pub(crate) mod product_files;
pub(crate) mod products;
pub(crate) mod reviews;
pub(crate) mod sandbox;
pub(crate) mod sessions;
pub(crate) mod shop_info;
pub(crate) mod stock;
pub(crate) mod users;
pub(crate) mod webhooks;
