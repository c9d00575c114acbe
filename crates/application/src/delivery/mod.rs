//! Where goods go, and how.

pub(crate) mod shipping_methods;

use std::sync::Arc;

use ports::ShippingMethods;

use crate::Ports;

/// Shipping methods.
#[derive(Clone)]
pub struct Delivery {
    methods: Arc<dyn ShippingMethods>,
}

impl Delivery {
    /// Builds the service.
    #[must_use]
    pub fn new(ports: &Ports) -> Self {
        Self { methods: Arc::clone(&ports.shipping_methods) }
    }
}
