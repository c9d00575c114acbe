//! What a unit costs whom.

pub(crate) mod price_lists;
pub(crate) mod quote_prices;

use std::sync::{Arc, Mutex};

use ports::{Clock, PriceBook, PriceRepository, ProductRepository};

use crate::Ports;

/// Prices, and the lists that they come from.
#[derive(Clone)]
pub struct Pricing {
    clock: Arc<dyn Clock>,
    prices: Arc<dyn PriceRepository>,
    products: Arc<dyn ProductRepository>,
    /// Whose lists there are, as last read. Nothing is written by it that does not compare its epoch.
    book: Arc<Mutex<Option<Arc<PriceBook>>>>,
}

impl Pricing {
    pub(crate) fn new(ports: &Ports) -> Self {
        Self {
            clock: Arc::clone(&ports.clock),
            prices: Arc::clone(&ports.prices),
            products: Arc::clone(&ports.products),
            book: Arc::default(),
        }
    }
}
