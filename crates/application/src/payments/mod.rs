//! Opening, settling, refunding and reconciling payments.

pub(crate) mod audit_payments;
#[cfg(test)]
pub(crate) mod books;
pub(crate) mod handle_event;
pub(crate) mod needs_attention;
pub(crate) mod open_payment;
pub(crate) mod pay_back;
pub(crate) mod provider_answers;
pub(crate) mod provider_limiter;
pub(crate) mod reconcile_payments;
pub(crate) mod refund_order;
pub(crate) mod review_payment;
pub(crate) mod settle_payment;
pub(crate) mod settle_shares;
pub(crate) mod stop_payments;

use std::sync::Arc;

use ports::{
    CheckoutRepository, Clock, Ids, OrderRepository, PaymentAttempts, PaymentEvents, PaymentProvider, RefundRepository,
    StoreError,
};

use self::provider_limiter::ProviderLimiter;
use crate::Ports;
use crate::orders::event_source::EventSource;
use crate::platform::compare_clocks::Clocks;

/// The money of orders: payments, refunds and disputes.
#[derive(Clone)]
pub struct Payments {
    clock: Arc<dyn Clock>,
    clocks: Clocks,
    events: EventSource,
    ids: Arc<dyn Ids>,
    orders: Arc<dyn OrderRepository>,
    payment_attempts: Arc<dyn PaymentAttempts>,
    checkouts: Arc<dyn CheckoutRepository>,
    /// The provider's events that have been processed.
    payment_events: Arc<dyn PaymentEvents>,
    provider: Arc<dyn PaymentProvider>,
    /// Limits how often the provider is called.
    provider_limiter: Arc<ProviderLimiter>,
    /// Refunds and disputes.
    refunds: Arc<dyn RefundRepository>,
}

impl Payments {
    pub(crate) fn new(ports: &Ports) -> Self {
        Self {
            checkouts: Arc::clone(&ports.checkouts),
            clock: Arc::clone(&ports.clock),
            clocks: Clocks::new(ports),
            events: EventSource::new(ports),
            ids: Arc::clone(&ports.ids),
            orders: Arc::clone(&ports.orders),
            payment_attempts: Arc::clone(&ports.payment_attempts),
            payment_events: Arc::clone(&ports.payment_events),
            provider: Arc::clone(&ports.payment_provider),
            provider_limiter: Arc::default(),
            refunds: Arc::clone(&ports.refunds),
        }
    }
}

impl Payments {
    /// Leases at most as many items as the background jobs may call the provider about now. Calls that are not needed
    /// are given back, also if the lease fails.
    async fn lease_within_budget<T, Leased>(
        &self,
        most: u32,
        lease: impl FnOnce(u32) -> Leased,
    ) -> Result<Vec<T>, StoreError>
    where
        Leased: Future<Output = Result<Vec<T>, StoreError>>,
    {
        let granted = self.provider_limiter.grant(most, self.clock.now());
        if granted == 0 {
            return Ok(Vec::new());
        }
        let leased = lease(granted).await;
        let used = leased.as_ref().map_or(0, Vec::len);
        self.provider_limiter.give_back(granted.saturating_sub(u32::try_from(used).unwrap_or(granted)));
        leased
    }
}
