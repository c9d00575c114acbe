//! Quick orders, carts and saved lists. Nothing here buys anything or holds stock.

pub(crate) mod cart;
pub(crate) mod check;
mod find;
pub(crate) mod lists;
pub(crate) mod reorder;
mod resolve;
pub(crate) mod row;

use std::sync::Arc;

use ports::{
    CartRepository, CheckoutRepository, Clock, Ids, ListRepository, OrderRepository, OrderedParts, ProductRepository,
};

use crate::{Ports, Pricing};

/// What somebody is about to order.
#[derive(Clone)]
pub struct Baskets {
    carts: Arc<dyn CartRepository>,
    checkouts: Arc<dyn CheckoutRepository>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    lists: Arc<dyn ListRepository>,
    orders: Arc<dyn OrderRepository>,
    parts: Arc<dyn OrderedParts>,
    pricing: Arc<Pricing>,
    products: Arc<dyn ProductRepository>,
}

impl Baskets {
    pub(crate) fn new(ports: &Ports, pricing: Arc<Pricing>) -> Self {
        Self {
            carts: Arc::clone(&ports.carts),
            checkouts: Arc::clone(&ports.checkouts),
            clock: Arc::clone(&ports.clock),
            ids: Arc::clone(&ports.ids),
            lists: Arc::clone(&ports.lists),
            orders: Arc::clone(&ports.orders),
            parts: Arc::clone(&ports.ordered_parts),
            pricing,
            products: Arc::clone(&ports.products),
        }
    }
}
