//! Reconciling open payments with the provider, when neither a browser nor a webhook reported their end.

use std::time::Duration;

use domain::Actor;
use ports::{Ended, PaymentAttempt, PaymentIntentState, StoreError, Waits, error_chain};

use crate::payments::provider_answers::unknown;
use crate::payments::settle_payment::{SettlePaymentRefused, Settled};
use crate::platform::concurrent::for_each_concurrent;
use crate::{Failure, Payments, Unavailable};

/// The delay between two checks of an open payment, by the time since a customer last used it. In the first half hour a
/// payment that no one reported is settled within a minute; after that, checks become less frequent.
const WAITS: Waits = Waits { share: 36, least: Duration::from_secs(5), most: Duration::from_hours(1) };
/// How many payments one run checks; the rest wait for the next run.
const AT_ONCE: u32 = 100;

/// The result of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reconciled {
    pub settled: u32,
    /// Payments that are being refunded.
    pub sent_back: u32,
    /// Payments that can no longer succeed.
    pub closed: u32,
    /// Payments whose state the provider did not report, that need an admin, or whose order cannot be decoded.
    pub unclear: u32,
}

impl Payments {
    /// Checks the open payments that are due, and settles or closes those that have ended. Any number of instances may
    /// run this concurrently; each checks different payments.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed; payments settled earlier in this run stay settled.
    pub async fn reconcile_payments(&self) -> Result<Reconciled, StoreError> {
        let due = self.lease_within_budget(AT_ONCE, |most| self.payment_attempts.lease_due(WAITS, most)).await?;
        let mut reconciled = Reconciled::default();
        let mut failed = None;
        let run = |payments: Self, open: PaymentAttempt| async move { (payments.reconcile(&open).await, open) };
        for (ended, open) in for_each_concurrent(self, due, run).await {
            match ended {
                Ok(Some(Settled::Paid)) => reconciled.settled += 1,
                Ok(Some(Settled::SentBack)) => reconciled.sent_back += 1,
                Ok(None) => reconciled.closed += 1,
                Err(Failure::Refused(SettlePaymentRefused::NotPaid)) => {}
                Err(Failure::Unavailable(Unavailable::Store(error @ StoreError::Internal(_)))) => {
                    tracing::error!(payment = %open.id, payable = %open.payable, error = error_chain(&error),
                        "what belongs to a payment cannot be decoded; the payment stays open");
                    reconciled.unclear += 1;
                }
                Err(Failure::Unavailable(Unavailable::Store(error))) => failed = Some(error),
                Err(error) => {
                    tracing::warn!(payment = %open.id, payable = %open.payable, %error, "a payment stays open");
                    reconciled.unclear += 1;
                }
            }
        }
        failed.map_or(Ok(reconciled), Err)
    }

    /// Settles or closes one payment; [`SettlePaymentRefused::NotPaid`] if it is still open.
    async fn reconcile(&self, open: &PaymentAttempt) -> Result<Option<Settled>, Failure<SettlePaymentRefused>> {
        let intent = self.provider.find(&open.id).await?;
        self.payment_attempts.note_known(&open.id, intent.is_some()).await?;
        // A payment unknown to the provider is not closed: only the provider's own report that it is cancelled ends it.
        let intent = intent.ok_or_else(unknown)?;
        match intent.state {
            PaymentIntentState::Succeeded => self.settle(&intent, open, Actor::Shop, None).await.map(Some),
            PaymentIntentState::Open => self.stop_if_cancelled(open).await,
            PaymentIntentState::Cancelled => {
                self.payment_attempts.close(&open.id, Ended::Cancelled, self.clock.now()).await?;
                Ok(None)
            }
        }
    }

    /// Cancels a payment of which an order was cancelled while it was being opened.
    async fn stop_if_cancelled(&self, open: &PaymentAttempt) -> Result<Option<Settled>, Failure<SettlePaymentRefused>> {
        for share in &open.shares {
            if self.orders.find(share.order).await?.is_some_and(|order| order.is_cancelled()) {
                return self.stop_payment(open).await;
            }
        }
        Err(Failure::Refused(SettlePaymentRefused::NotPaid))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use async_trait::async_trait;
    use domain::{Dispute, Money, Order, OrderId, ProviderRefund, TransactionId};
    use ports::{
        Applied, CancelOutcome, MockOrderRepository, MockPaymentAttempts, MockPaymentProvider, PaymentIntent,
        PaymentProvider, ProviderError, RefundOutcome, RefundRequest,
    };
    use tokio::time::{Instant, sleep};

    use super::*;
    use crate::Ports;
    use crate::platform::concurrent::MAX_CONCURRENT;
    use crate::testing::{
        customers_order, holding, holding_beside_undecodable, intent, meta, payments_on, ports, transaction,
    };

    fn due(order: &Order) -> MockPaymentAttempts {
        let mut payment_attempts = MockPaymentAttempts::new();
        let open = PaymentAttempt::of_order(transaction(), order.id, order.item.total);
        payment_attempts.expect_lease_due().returning(move |_, _| Ok(vec![open.clone()]));
        payment_attempts.expect_note_known().returning(|_, _| Ok(()));
        payment_attempts
    }

    #[tokio::test]
    async fn a_payment_that_no_browser_reported_is_settled() {
        let order = customers_order();
        let mut orders = holding(&order);
        orders.expect_apply().times(1).withf(|change| change.after.is_paid()).returning(|_| Ok(Applied::Written));
        let mut payment_attempts = due(&order);
        payment_attempts.expect_close().times(1).returning(|_, _, _| Ok(()));
        let mut payments = MockPaymentProvider::new();
        let succeeded = intent(&order, PaymentIntentState::Succeeded);
        payments.expect_find().times(1).returning(move |_| Ok(Some(succeeded.clone())));
        let service = payments_on(Ports {
            orders: Arc::new(orders),
            payment_attempts: Arc::new(payment_attempts),
            payment_provider: Arc::new(payments),
            ..ports()
        });
        let reconciled = service.reconcile_payments().await.unwrap();
        assert_eq!(reconciled, Reconciled { settled: 1, ..Reconciled::default() });
    }

    #[tokio::test]
    async fn a_payment_that_is_still_open_is_not_changed() {
        let order = customers_order();
        let mut payments = MockPaymentProvider::new();
        let open = intent(&order, PaymentIntentState::Open);
        payments.expect_find().returning(move |_| Ok(Some(open.clone())));
        let service = payments_on(Ports {
            orders: Arc::new(holding(&order)),
            payment_attempts: Arc::new(due(&order)),
            payment_provider: Arc::new(payments),
            ..ports()
        });
        assert_eq!(service.reconcile_payments().await.unwrap(), Reconciled::default());
    }

    #[tokio::test]
    async fn a_payment_left_open_by_a_cancelled_order_is_cancelled() {
        let order = customers_order().cancel(meta(domain::Actor::Shop)).unwrap().after;
        let mut payments = MockPaymentProvider::new();
        let open = intent(&order, PaymentIntentState::Open);
        payments.expect_find().returning(move |_| Ok(Some(open.clone())));
        payments.expect_cancel().times(1).returning(|_| Ok(CancelOutcome::Cancelled));
        let mut payment_attempts = due(&order);
        payment_attempts.expect_close().times(1).returning(|_, _, _| Ok(()));
        let service = payments_on(Ports {
            orders: Arc::new(holding(&order)),
            payment_attempts: Arc::new(payment_attempts),
            payment_provider: Arc::new(payments),
            ..ports()
        });
        let reconciled = service.reconcile_payments().await.unwrap();
        assert_eq!(reconciled, Reconciled { closed: 1, ..Reconciled::default() });
    }

    #[tokio::test]
    async fn money_that_arrives_for_a_cancelled_order_is_sent_back() {
        let order = customers_order().cancel(meta(domain::Actor::Shop)).unwrap().after;
        let mut payments = MockPaymentProvider::new();
        let succeeded = intent(&order, PaymentIntentState::Succeeded);
        payments.expect_find().returning(move |_| Ok(Some(succeeded.clone())));
        payments.expect_refund().times(1).returning(|_| Err(ProviderError::Unavailable("timeout".into())));
        let mut payment_attempts = due(&order);
        payment_attempts
            .expect_close()
            .times(1)
            .withf(|_, ended, _| *ended == Ended::SentBack)
            .returning(|_, _, _| Ok(()));
        let mut refunds = crate::testing::no_refunds();
        refunds.expect_begin().times(1).returning(|_| Ok(ports::RefundBegun::Written));
        let service = payments_on(Ports {
            orders: Arc::new(holding(&order)),
            payment_attempts: Arc::new(payment_attempts),
            payment_provider: Arc::new(payments),
            refunds: Arc::new(refunds),
            ..ports()
        });
        let reconciled = service.reconcile_payments().await.unwrap();
        assert_eq!(reconciled, Reconciled { sent_back: 1, ..Reconciled::default() });
    }

    #[tokio::test]
    async fn an_unavailable_provider_closes_nothing() {
        let order = customers_order();
        let mut payments = MockPaymentProvider::new();
        payments.expect_find().returning(|_| Err(ProviderError::Unavailable("timeout".into())));
        let service = payments_on(Ports {
            orders: Arc::new(holding(&order)),
            payment_attempts: Arc::new(due(&order)),
            payment_provider: Arc::new(payments),
            ..ports()
        });
        let reconciled = service.reconcile_payments().await.unwrap();
        assert_eq!(reconciled, Reconciled { unclear: 1, ..Reconciled::default() });
    }

    /// Takes this long to report that a payment is still open, and expects no other call.
    struct Dawdling(Duration, PaymentIntent);

    #[async_trait]
    impl PaymentProvider for Dawdling {
        async fn open(&self, _: domain::Payable, _: u32, _: Money) -> Result<PaymentIntent, ProviderError> {
            unreachable!()
        }

        async fn find(&self, _: &TransactionId) -> Result<Option<PaymentIntent>, ProviderError> {
            sleep(self.0).await;
            Ok(Some(self.1.clone()))
        }

        async fn cancel(&self, _: &TransactionId) -> Result<CancelOutcome, ProviderError> {
            unreachable!()
        }

        async fn refund(&self, _: &RefundRequest) -> Result<RefundOutcome, ProviderError> {
            unreachable!()
        }

        async fn refunds_of(&self, _: &TransactionId) -> Result<Vec<ProviderRefund>, ProviderError> {
            unreachable!()
        }

        async fn disputes_of(&self, _: &TransactionId) -> Result<Vec<Dispute>, ProviderError> {
            unreachable!()
        }
    }

    #[tokio::test(start_paused = true)]
    async fn payments_do_not_wait_for_each_other() {
        let order = customers_order();
        let open = PaymentAttempt::of_order(transaction(), order.id, order.item.total);
        let mut payment_attempts = MockPaymentAttempts::new();
        payment_attempts.expect_note_known().returning(|_, _| Ok(()));
        payment_attempts.expect_lease_due().returning(move |_, _| Ok(vec![open.clone(); 2 * MAX_CONCURRENT]));
        let answer = Duration::from_secs(10);
        let service = payments_on(Ports {
            payment_provider: Arc::new(Dawdling(answer, intent(&order, PaymentIntentState::Open))),
            orders: Arc::new(holding(&order)),
            payment_attempts: Arc::new(payment_attempts),
            ..ports()
        });
        let begun = Instant::now();
        service.reconcile_payments().await.unwrap();
        assert_eq!(begun.elapsed(), 2 * answer);
    }

    #[test]
    fn an_unreported_payment_is_settled_within_a_minute_during_the_first_half_hour() {
        // The job runs every five seconds, and the provider may take ten.
        let (between_runs, answer) = (Duration::from_secs(5), Duration::from_secs(5));
        for minutes in 0..=30 {
            let wait = WAITS.at(Duration::from_mins(minutes));
            assert!(wait + between_runs + answer <= Duration::from_mins(1), "{minutes} minutes: {wait:?}");
        }
        assert_eq!(WAITS.at(Duration::from_hours(24 * 30)), Duration::from_hours(1));
    }

    #[tokio::test]
    async fn a_payment_unknown_to_the_provider_stays_open_and_is_counted() {
        let order = customers_order();
        let mut payments = MockPaymentProvider::new();
        payments.expect_find().returning(|_| Ok(None));
        let mut payment_attempts = MockPaymentAttempts::new();
        let open = PaymentAttempt::of_order(transaction(), order.id, order.item.total);
        payment_attempts.expect_lease_due().returning(move |_, _| Ok(vec![open.clone()]));
        payment_attempts.expect_note_known().times(1).withf(|_, known| !known).returning(|_, _| Ok(()));
        let service = payments_on(Ports {
            orders: Arc::new(holding(&order)),
            payment_attempts: Arc::new(payment_attempts),
            payment_provider: Arc::new(payments),
            ..ports()
        });
        let reconciled = service.reconcile_payments().await.unwrap();
        assert_eq!(reconciled, Reconciled { unclear: 1, ..Reconciled::default() });
    }

    #[tokio::test]
    async fn a_payment_whose_order_cannot_be_decoded_is_counted_and_the_others_are_settled() {
        let order = customers_order();
        let bad = OrderId::new(uuid::Uuid::from_u128(404));
        let payments_due =
            [bad, order.id].map(|order| PaymentAttempt::of_order(transaction(), order, customers_order().item.total));
        let mut payment_attempts = MockPaymentAttempts::new();
        payment_attempts.expect_lease_due().returning(move |_, _| Ok(payments_due.to_vec()));
        payment_attempts.expect_note_known().returning(|_, _| Ok(()));
        payment_attempts.expect_close().times(1).returning(|_, _, _| Ok(()));
        let mut orders = holding_beside_undecodable(bad, &order);
        orders.expect_apply().times(1).returning(|_| Ok(Applied::Written));
        let mut payments = MockPaymentProvider::new();
        let succeeded = intent(&order, PaymentIntentState::Succeeded);
        payments.expect_find().returning(move |_| Ok(Some(succeeded.clone())));
        let service = payments_on(Ports {
            orders: Arc::new(orders),
            payment_attempts: Arc::new(payment_attempts),
            payment_provider: Arc::new(payments),
            ..ports()
        });
        let reconciled = service.reconcile_payments().await.unwrap();
        assert_eq!(reconciled, Reconciled { settled: 1, unclear: 1, ..Reconciled::default() });
    }

    #[tokio::test]
    async fn leases_that_fail_use_up_none_of_the_calls_to_the_provider() {
        let mut payment_attempts = MockPaymentAttempts::new();
        // Each run may make all its calls, although the one before was granted as many.
        payment_attempts
            .expect_lease_due()
            .times(3)
            .withf(|_, most| *most == AT_ONCE)
            .returning(|_, _| Err(StoreError::Unavailable("gone".into())));
        let service = payments_on(Ports { payment_attempts: Arc::new(payment_attempts), ..ports() });
        for _ in 0..3 {
            assert!(matches!(service.reconcile_payments().await, Err(StoreError::Unavailable(_))));
        }
    }

    #[tokio::test]
    async fn a_store_error_is_returned() {
        let order = customers_order();
        let open = PaymentAttempt::of_order(transaction(), order.id, order.item.total);
        let mut payment_attempts = MockPaymentAttempts::new();
        payment_attempts.expect_note_known().returning(|_, _| Ok(()));
        payment_attempts.expect_lease_due().returning(move |_, _| Ok(vec![open.clone(); 10 * MAX_CONCURRENT]));
        let mut orders = MockOrderRepository::new();
        orders.expect_find().returning(|_| Err(StoreError::Unavailable("the disk is full".into())));
        let mut payments = MockPaymentProvider::new();
        let open = intent(&order, PaymentIntentState::Open);
        payments.expect_find().returning(move |_| Ok(Some(open.clone())));
        let service = payments_on(Ports {
            orders: Arc::new(orders),
            payment_attempts: Arc::new(payment_attempts),
            payment_provider: Arc::new(payments),
            ..ports()
        });
        assert!(service.reconcile_payments().await.is_err());
    }
}
