//! Where goods go, and how.

pub(crate) mod address_book;
pub(crate) mod shipping_methods;

use std::sync::Arc;

use ports::{AddressBook, Clock, Ids, ShippingMethods};

use crate::Ports;

/// Shipping methods and address books.
#[derive(Clone)]
pub struct Delivery {
    methods: Arc<dyn ShippingMethods>,
    address_book: Arc<dyn AddressBook>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
}

impl Delivery {
    /// Builds the service.
    #[must_use]
    pub fn new(ports: &Ports) -> Self {
        Self {
            methods: Arc::clone(&ports.shipping_methods),
            address_book: Arc::clone(&ports.address_book),
            clock: Arc::clone(&ports.clock),
            ids: Arc::clone(&ports.ids),
        }
    }
}
