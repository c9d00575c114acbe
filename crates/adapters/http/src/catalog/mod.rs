//! Products, stock, reviews and pictures on the wire.

pub(crate) mod fitments;
pub(crate) mod images;
pub(crate) mod parts;
pub(crate) mod products;
mod refusals;
pub(crate) mod reviews;
pub(crate) mod snapshot;
pub(crate) mod stock;
