//! Placing, cancelling, shipping and reading orders.

pub(crate) mod cancel_abandoned;
pub(crate) mod cancel_order;
pub(crate) mod customer;
pub(crate) mod event_source;
pub(crate) mod expire_orders;
pub(crate) mod notes;
pub(crate) mod overview;
pub(crate) mod place_order;
pub(crate) mod read_orders;
pub(crate) mod returns;
pub(crate) mod sales;
pub(crate) mod ship_order;
pub(crate) mod shipments;

use std::sync::Arc;

use ports::{
    AccountRepository, CheckoutRepository, Clock, FitmentRepository, Ids, NoteRepository, OrderRepository,
    OwnershipRepository, PaymentAttempts, ProductRepository, ReservationRules, ReturnRepository, SalesRepository,
    ShipmentRepository,
};

use crate::orders::event_source::EventSource;
use crate::platform::compare_clocks::Clocks;
use crate::{Payments, Ports, Pricing};

/// Everything that happens to an order, but for its money.
#[expect(clippy::struct_field_names, reason = "the repository of orders is called like the subject")]
#[derive(Clone)]
pub struct Orders {
    accounts: Arc<dyn AccountRepository>,
    checkouts: Arc<dyn CheckoutRepository>,
    clock: Arc<dyn Clock>,
    clocks: Clocks,
    events: EventSource,
    fitments: Arc<dyn FitmentRepository>,
    ids: Arc<dyn Ids>,
    notes: Arc<dyn NoteRepository>,
    orders: Arc<dyn OrderRepository>,
    ownership: Arc<dyn OwnershipRepository>,
    payment_attempts: Arc<dyn PaymentAttempts>,
    payments: Arc<Payments>,
    pricing: Arc<Pricing>,
    products: Arc<dyn ProductRepository>,
    /// How long the units of unpaid orders are reserved.
    reservations: ReservationRules,
    returns: Arc<dyn ReturnRepository>,
    sales: Arc<dyn SalesRepository>,
    shipments: Arc<dyn ShipmentRepository>,
}

impl Orders {
    pub(crate) fn new(ports: &Ports, payments: Arc<Payments>, pricing: Arc<Pricing>) -> Self {
        Self {
            accounts: Arc::clone(&ports.accounts),
            checkouts: Arc::clone(&ports.checkouts),
            clock: Arc::clone(&ports.clock),
            clocks: Clocks::new(ports),
            events: EventSource::new(ports),
            fitments: Arc::clone(&ports.fitments),
            ids: Arc::clone(&ports.ids),
            notes: Arc::clone(&ports.notes),
            orders: Arc::clone(&ports.orders),
            ownership: Arc::clone(&ports.ownership),
            payment_attempts: Arc::clone(&ports.payment_attempts),
            payments,
            pricing,
            products: Arc::clone(&ports.products),
            reservations: ports.reservations,
            returns: Arc::clone(&ports.returns),
            sales: Arc::clone(&ports.sales),
            shipments: Arc::clone(&ports.shipments),
        }
    }
}
