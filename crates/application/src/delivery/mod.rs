//! Where goods go, and how.

pub(crate) mod address_book;
pub(crate) mod shipping_methods;

use std::sync::Arc;

use ports::{AccountRepository, AddressBook, Clock, Ids, ShippingMethods};

use crate::Ports;

/// Shipping methods and address books.
#[derive(Clone)]
pub struct Delivery {
    accounts: Arc<dyn AccountRepository>,
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
            accounts: Arc::clone(&ports.accounts),
            methods: Arc::clone(&ports.shipping_methods),
            address_book: Arc::clone(&ports.address_book),
            clock: Arc::clone(&ports.clock),
            ids: Arc::clone(&ports.ids),
        }
    }
}
