//! Buying many parts at once.

pub(crate) mod assess;
pub(crate) mod cancel_checkout;
pub(crate) mod judge_lines;
pub(crate) mod place_checkout;
pub(crate) mod read_checkouts;
pub(crate) mod set_freight;
pub(crate) mod settle_checkout;
#[cfg(test)]
pub(crate) mod tests;

use std::sync::Arc;

use ports::{
    CheckoutRepository, Clock, Exemptions, FitmentRepository, Ids, OrderRepository, OrderedParts, ProductRepository,
    ReservationRules, ShippingMethods, TaxRates,
};

use crate::orders::event_source::EventSource;
use crate::{Orders, Payments, Ports, Pricing};

/// What is bought together.
#[expect(clippy::struct_field_names, reason = "the repository of checkouts is called like the subject")]
#[derive(Clone)]
pub struct Checkouts {
    checkouts: Arc<dyn CheckoutRepository>,
    clock: Arc<dyn Clock>,
    events: EventSource,
    exemptions: Arc<dyn Exemptions>,
    fitments: Arc<dyn FitmentRepository>,
    ids: Arc<dyn Ids>,
    order_repository: Arc<dyn OrderRepository>,
    orders: Arc<Orders>,
    parts: Arc<dyn OrderedParts>,
    payments: Arc<Payments>,
    pricing: Arc<Pricing>,
    products: Arc<dyn ProductRepository>,
    reservations: ReservationRules,
    shipping_methods: Arc<dyn ShippingMethods>,
    tax_rates: Arc<dyn TaxRates>,
}

impl Checkouts {
    pub(crate) fn new(ports: &Ports, orders: Arc<Orders>, payments: Arc<Payments>, pricing: Arc<Pricing>) -> Self {
        Self {
            checkouts: Arc::clone(&ports.checkouts),
            clock: Arc::clone(&ports.clock),
            events: EventSource::new(ports),
            exemptions: Arc::clone(&ports.exemptions),
            fitments: Arc::clone(&ports.fitments),
            ids: Arc::clone(&ports.ids),
            order_repository: Arc::clone(&ports.orders),
            orders,
            parts: Arc::clone(&ports.ordered_parts),
            payments,
            pricing,
            products: Arc::clone(&ports.products),
            reservations: ports.reservations,
            shipping_methods: Arc::clone(&ports.shipping_methods),
            tax_rates: Arc::clone(&ports.tax_rates),
        }
    }
}
