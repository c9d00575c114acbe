//! The use cases of orders and payments, which are one service yet.

use std::sync::Arc;
use std::time::Duration;

use domain::orders::order::EventMeta;
use domain::{Actor, EventId, Timestamp};
use ports::{
    AccountRepository, Clock, Ids, OrderRepository, OwnershipRepository, PaymentAttempts, PaymentEvents,
    PaymentProvider, ProductRepository, RefundRepository, ReservationRules, SharedClock,
};

use tokio::task::JoinSet;

use crate::Ports;
use crate::payments::provider_gate::ProviderLimiter;
use crate::platform::compare_clocks::Clocks;

/// The use cases of orders and payments.
#[derive(Clone)]
pub struct Shop {
    pub(crate) accounts: Arc<dyn AccountRepository>,
    pub(crate) clock: Arc<dyn Clock>,
    /// Limits how often the payment provider is called.
    pub(crate) provider_limiter: Arc<ProviderLimiter>,
    /// How long the units of unpaid orders are reserved.
    pub(crate) reservations: ReservationRules,
    pub(crate) ids: Arc<dyn Ids>,
    pub(crate) payment_attempts: Arc<dyn PaymentAttempts>,
    pub(crate) orders: Arc<dyn OrderRepository>,
    /// Who owns which account.
    pub(crate) ownership: Arc<dyn OwnershipRepository>,
    /// The provider's events that have been processed.
    pub(crate) payment_events: Arc<dyn PaymentEvents>,
    pub(crate) payments: Arc<dyn PaymentProvider>,
    pub(crate) products: Arc<dyn ProductRepository>,
    /// Refunds and disputes.
    pub(crate) refunds: Arc<dyn RefundRepository>,
    /// The clock that all instances share.
    pub(crate) shared_clock: Arc<dyn SharedClock>,
}

impl Shop {
    pub(crate) fn new(ports: &Ports) -> Self {
        Self {
            accounts: ports.accounts.clone(),
            clock: ports.clock.clone(),
            provider_limiter: Arc::default(),
            reservations: ports.reservations,
            ids: ports.ids.clone(),
            payment_attempts: ports.payment_attempts.clone(),
            orders: ports.orders.clone(),
            ownership: ports.ownership.clone(),
            payment_events: ports.payment_events.clone(),
            payments: ports.payments.clone(),
            products: ports.products.clone(),
            refunds: ports.refunds.clone(),
            shared_clock: ports.shared_clock.clone(),
        }
    }

    pub(crate) fn clocks(&self) -> Clocks {
        Clocks { clock: Arc::clone(&self.clock), shared: Arc::clone(&self.shared_clock) }
    }

    /// The id, actor and time of a new event.
    pub(crate) fn meta(&self, by: Actor) -> EventMeta {
        EventMeta { event: EventId::new(self.ids.fresh()), by, at: self.clock.now() }
    }
}

/// A moment later; [`Timestamp::MAX`] if that is out of range.
pub(crate) fn later(moment: Timestamp, by: Duration) -> Timestamp {
    moment.checked_add(by).unwrap_or(Timestamp::MAX)
}

/// A moment earlier; [`Timestamp::MIN`] if that is out of range.
pub(crate) fn earlier(moment: Timestamp, by: Duration) -> Timestamp {
    moment.checked_sub(by).unwrap_or(Timestamp::MIN)
}

/// How many items a background job processes concurrently, so that one that hangs delays few others.
pub(crate) const MAX_CONCURRENT: usize = 10;

/// Processes the items, several concurrently. Returns the results in no particular order; an item whose task panics is
/// left out.
pub(crate) async fn for_each_concurrent<T, R, F>(shop: &Shop, items: Vec<T>, run: impl Fn(Shop, T) -> F) -> Vec<R>
where
    R: Send + 'static,
    F: Future<Output = R> + Send + 'static,
{
    let mut waiting = items.into_iter();
    let mut under_way = JoinSet::new();
    let mut done = Vec::new();
    loop {
        while under_way.len() < MAX_CONCURRENT
            && let Some(item) = waiting.next()
        {
            under_way.spawn(run(shop.clone(), item));
        }
        match under_way.join_next().await {
            None => return done,
            Some(Ok(one)) => done.push(one),
            Some(Err(error)) => tracing::error!(%error, "a background task panicked"),
        }
    }
}
