//! Asking the provider about payments of which no browser and no webhook told.

use std::time::Duration;

use ports::{CancelOutcome, IntentState, OpenIntent, StoreError};
use tokio::task::JoinSet;

use crate::Shop;
use crate::settle_payment::{SettleError, Settled};
use crate::shop::earlier;

/// How long an open payment is left alone after it was last looked at.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many payments one round looks at; more wait for the next.
const AT_ONCE: u32 = 100;
/// How many of them the provider is asked about at the same moment, so that one on which it hangs holds up no other.
const ABREAST: usize = 10;

/// What one round of asking came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reconciled {
    /// Orders that are paid now.
    pub settled: u32,
    /// Payments whose money was sent back.
    pub sent_back: u32,
    /// Payments that will never succeed.
    pub closed: u32,
    /// Payments that the provider could not tell about, or that need a person's eye.
    pub unclear: u32,
    /// Refunds that were decided on and have still not gone through.
    pub owing: u32,
}

impl Shop {
    /// Looks at open payments that nobody has looked at for a while, and brings those to their end that have one. Any
    /// number of copies of the shop may do this at once; each looks at different payments.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed; what was settled until then stays settled.
    pub async fn reconcile_payments(&self) -> Result<Reconciled, StoreError> {
        let now = self.clock.now();
        let mut due = self.intents.take_due(earlier(now, PATIENCE), now, AT_ONCE).await?.into_iter();
        let mut reconciled = Reconciled::default();
        let mut under_way = JoinSet::new();
        let mut failed = None;
        loop {
            while failed.is_none()
                && under_way.len() < ABREAST
                && let Some(open) = due.next()
            {
                let shop = self.clone();
                under_way.spawn(async move { (shop.reconcile(&open).await, open) });
            }
            let Some(ended) = under_way.join_next().await else { break };
            match ended {
                Ok((Ok(Some(Settled::Paid)), _)) => reconciled.settled += 1,
                Ok((Ok(Some(Settled::SentBack)), _)) => reconciled.sent_back += 1,
                Ok((Ok(None), _)) => reconciled.closed += 1,
                Ok((Err(SettleError::NotPaid), _)) => {}
                Ok((Err(SettleError::Store(error)), _)) => failed = Some(error),
                Ok((Err(error), open)) => {
                    tracing::warn!(payment = %open.id, order = %open.order, %error, "a payment stays open");
                    reconciled.unclear += 1;
                }
                Err(error) => {
                    tracing::error!(%error, "looking at a payment broke off");
                    reconciled.unclear += 1;
                }
            }
        }
        if let Some(error) = failed {
            return Err(error);
        }
        let (sent_back, owing) = self.pay_back_what_is_owed().await?;
        reconciled.sent_back += sent_back;
        reconciled.owing = owing;
        Ok(reconciled)
    }

    /// Brings one payment to its end; [`SettleError::NotPaid`] if it has none yet.
    async fn reconcile(&self, open: &OpenIntent) -> Result<Option<Settled>, SettleError> {
        let intent = self.payments.find(&open.id).await?;
        match intent.as_ref().map(|intent| intent.state) {
            Some(IntentState::Succeeded) => self.settle_what_succeeded(open, None).await.map(Some),
            Some(IntentState::Open) => self.stop_if_cancelled(open).await,
            Some(IntentState::Cancelled) | None => {
                self.intents.close(&open.id, self.clock.now()).await?;
                Ok(None)
            }
        }
    }

    /// Stops a payment whose order was cancelled while it was being opened.
    async fn stop_if_cancelled(&self, open: &OpenIntent) -> Result<Option<Settled>, SettleError> {
        let order = self.orders.find(open.order).await?;
        if !order.is_some_and(|order| order.is_cancelled()) {
            return Err(SettleError::NotPaid);
        }
        match self.payments.cancel(&open.id).await? {
            CancelOutcome::Succeeded => self.settle_what_succeeded(open, None).await.map(Some),
            CancelOutcome::Cancelled => {
                self.intents.close(&open.id, self.clock.now()).await?;
                Ok(None)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use async_trait::async_trait;
    use domain::{Money, Order, OrderId, Payment, TransactionId};
    use ports::{
        Applied, Intent, MockIntentStore, MockOrderStore, MockPaymentProvider, PaymentProvider, ProviderError,
        RefundOutcome,
    };
    use tokio::time::{Instant, sleep};

    use super::*;
    use crate::testing::{customers_order, holding, intent, shop, transaction};

    fn owing_nothing(order: &Order) -> MockOrderStore {
        let mut orders = holding(order);
        orders.expect_owing().returning(|_| Ok(Vec::new()));
        orders
    }

    fn due(order: &Order) -> MockIntentStore {
        let mut intents = MockIntentStore::new();
        let open = OpenIntent { id: transaction(), order: order.id, amount: order.item.total };
        intents.expect_take_due().returning(move |_, _, _| Ok(vec![open.clone()]));
        intents
    }

    #[tokio::test]
    async fn a_payment_that_no_browser_told_of_is_settled() {
        let order = customers_order();
        let mut orders = owing_nothing(&order);
        orders
            .expect_apply()
            .times(1)
            .withf(|change| matches!(change.after.progress.payment, Payment::Paid { .. }))
            .returning(|_| Ok(Applied::Written));
        let mut intents = due(&order);
        intents.expect_close().times(1).returning(|_, _| Ok(()));
        let mut payments = MockPaymentProvider::new();
        let succeeded = intent(&order, IntentState::Succeeded);
        payments.expect_find().returning(move |_| Ok(Some(succeeded.clone())));
        let shop =
            Shop { orders: Arc::new(orders), intents: Arc::new(intents), payments: Arc::new(payments), ..shop() };
        let reconciled = shop.reconcile_payments().await.unwrap();
        assert_eq!(reconciled, Reconciled { settled: 1, ..Reconciled::default() });
    }

    #[tokio::test]
    async fn a_payment_that_is_still_open_is_left_alone() {
        let order = customers_order();
        let mut payments = MockPaymentProvider::new();
        let open = intent(&order, IntentState::Open);
        payments.expect_find().returning(move |_| Ok(Some(open.clone())));
        let shop = Shop {
            orders: Arc::new(owing_nothing(&order)),
            intents: Arc::new(due(&order)),
            payments: Arc::new(payments),
            ..shop()
        };
        assert_eq!(shop.reconcile_payments().await.unwrap(), Reconciled::default());
    }

    #[tokio::test]
    async fn a_payment_left_open_by_a_cancelled_order_is_stopped() {
        let order = customers_order().cancel(shop().stamp(domain::Actor::Shop)).unwrap().after;
        let mut payments = MockPaymentProvider::new();
        let open = intent(&order, IntentState::Open);
        payments.expect_find().returning(move |_| Ok(Some(open.clone())));
        payments.expect_cancel().times(1).returning(|_| Ok(CancelOutcome::Cancelled));
        let mut intents = due(&order);
        intents.expect_close().times(1).returning(|_, _| Ok(()));
        let shop = Shop {
            orders: Arc::new(owing_nothing(&order)),
            intents: Arc::new(intents),
            payments: Arc::new(payments),
            ..shop()
        };
        let reconciled = shop.reconcile_payments().await.unwrap();
        assert_eq!(reconciled, Reconciled { closed: 1, ..Reconciled::default() });
    }

    #[tokio::test]
    async fn a_provider_that_is_away_closes_nothing() {
        let order = customers_order();
        let mut payments = MockPaymentProvider::new();
        payments.expect_find().returning(|_| Err(ProviderError::Away("timeout".into())));
        let shop = Shop {
            orders: Arc::new(owing_nothing(&order)),
            intents: Arc::new(due(&order)),
            payments: Arc::new(payments),
            ..shop()
        };
        let reconciled = shop.reconcile_payments().await.unwrap();
        assert_eq!(reconciled, Reconciled { unclear: 1, ..Reconciled::default() });
    }

    /// Takes this long to say that a payment is still open, and is asked nothing else.
    struct Dawdling(Duration, Intent);

    #[async_trait]
    impl PaymentProvider for Dawdling {
        async fn open(&self, _: OrderId, _: u32, _: Money) -> Result<Intent, ProviderError> {
            unreachable!()
        }

        async fn find(&self, _: &TransactionId) -> Result<Option<Intent>, ProviderError> {
            sleep(self.0).await;
            Ok(Some(self.1.clone()))
        }

        async fn cancel(&self, _: &TransactionId) -> Result<CancelOutcome, ProviderError> {
            unreachable!()
        }

        async fn refund(&self, _: &TransactionId) -> Result<RefundOutcome, ProviderError> {
            unreachable!()
        }
    }

    #[tokio::test(start_paused = true)]
    async fn payments_do_not_wait_for_each_other() {
        let order = customers_order();
        let open = OpenIntent { id: transaction(), order: order.id, amount: order.item.total };
        let mut intents = MockIntentStore::new();
        intents.expect_take_due().returning(move |_, _, _| Ok(vec![open.clone(); 2 * ABREAST]));
        let answer = Duration::from_secs(10);
        let shop = Shop {
            payments: Arc::new(Dawdling(answer, intent(&order, IntentState::Open))),
            orders: Arc::new(owing_nothing(&order)),
            intents: Arc::new(intents),
            ..shop()
        };
        let begun = Instant::now();
        shop.reconcile_payments().await.unwrap();
        assert_eq!(begun.elapsed(), 2 * answer);
    }

    #[tokio::test]
    async fn a_store_that_fails_ends_the_round() {
        let order = customers_order();
        let open = OpenIntent { id: transaction(), order: order.id, amount: order.item.total };
        let mut intents = MockIntentStore::new();
        intents.expect_take_due().returning(move |_, _, _| Ok(vec![open.clone(); 10 * ABREAST]));
        let mut orders = MockOrderStore::new();
        orders.expect_find().times(1..=ABREAST).returning(|_| Err(StoreError::Away("the disk is full".into())));
        let mut payments = MockPaymentProvider::new();
        let open = intent(&order, IntentState::Open);
        payments.expect_find().returning(move |_| Ok(Some(open.clone())));
        let shop =
            Shop { orders: Arc::new(orders), intents: Arc::new(intents), payments: Arc::new(payments), ..shop() };
        assert!(shop.reconcile_payments().await.is_err());
    }
}
