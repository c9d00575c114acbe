//! Cancelling orders that were not paid in time, so that their units can be sold to others.

use std::time::Duration;

use domain::OrderId;
use ports::{ProviderError, StoreError, error_chain};

use crate::platform::moments::later;
use crate::{Failure, Orders, Unavailable};

/// How many orders are leased in one batch.
const AT_ONCE: u32 = 50;
/// How long one run leases new batches; whatever is still due waits for the next run or another instance.
const BUDGET: Duration = Duration::from_secs(40);
/// How many reminders one run sends, and how many orders of the previous version get a reservation.
const MANY: u32 = 500;

/// The result of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Expired {
    /// Orders that were cancelled; their units are for sale again.
    pub cancelled: u32,
    /// Orders that were not cancelled yet: paid at the last moment, or the provider did not confirm that their payment
    /// is cancelled.
    pub not_cancelled: u32,
    /// Orders that could not be decoded. They are retried with growing delays and do not block others.
    pub unreadable: u32,
    /// Orders whose customers were e-mailed because the reservation is about to expire.
    pub reminded: u32,
    /// Nothing was done, because this instance's clock differs from the database's.
    pub paused: bool,
}

impl Orders {
    /// Reminds customers whose reservation is about to expire, and cancels unpaid, unshipped orders whose reservation
    /// has expired, by the rules under which their customers could cancel them. First the open payment is cancelled at
    /// the payment provider; if the money has arrived by then, it settles the order instead. Any number of instances
    /// may run this concurrently; they share the work. An order that cannot be cancelled is retried with growing
    /// delays, and does not block others.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed; earlier cancellations in this run stand.
    pub async fn expire_orders(&self) -> Result<Expired, StoreError> {
        let mut expired = Expired::default();
        if !self.clocks.agree().await? {
            return Ok(Expired { paused: true, ..expired });
        }
        self.orders.reserve(self.reservations.usual, MANY).await?;
        expired.reminded = self.orders.remind(MANY).await?;
        let enough = later(self.clock.now(), BUDGET);
        // Whether the provider has failed in this run: then orders with an open payment are skipped instead of waiting
        // for it.
        let mut provider_unavailable = false;
        loop {
            let due = self.orders.lease_lapsed(AT_ONCE).await?;
            let last = due.len() < AT_ONCE as usize;
            for order in due {
                self.expire_order(order, &mut provider_unavailable, &mut expired).await?;
            }
            if last || self.clock.now() >= enough {
                return Ok(expired);
            }
        }
    }

    /// How many orders still have units reserved although their reservation has expired, because expiring them failed.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn overdue_orders(&self) -> Result<u64, StoreError> {
        self.orders.overdue().await
    }

    /// Cancels an unpaid order of a run, and counts what came of it. Only a failure that would meet every other order
    /// as well ends the run.
    pub(super) async fn expire_order(
        &self,
        order: OrderId,
        provider_unavailable: &mut bool,
        expired: &mut Expired,
    ) -> Result<(), StoreError> {
        if *provider_unavailable {
            match self.payment_attempts.undecided(order).await {
                Ok(open) if open.is_empty() => {}
                Ok(_) => {
                    expired.not_cancelled += 1;
                    return Ok(());
                }
                Err(error) => return expired.count_unreadable(order, error),
            }
        }
        match self.cancel_lapsed(order).await {
            Ok(true) => expired.cancelled += 1,
            Ok(false) => {}
            Err(Failure::Unavailable(Unavailable::Store(error))) => return expired.count_unreadable(order, error),
            Err(error) => {
                *provider_unavailable |=
                    matches!(error, Failure::Unavailable(Unavailable::Provider(ProviderError::Unavailable(_))));
                tracing::info!(%order, %error, "an unpaid order is not cancelled yet");
                expired.not_cancelled += 1;
            }
        }
        Ok(())
    }
}

impl Expired {
    /// Counts an order that cannot be decoded, so that the run goes on with the next one.
    fn count_unreadable(&mut self, order: OrderId, error: StoreError) -> Result<(), StoreError> {
        if !matches!(error, StoreError::Internal(_)) {
            return Err(error);
        }
        tracing::error!(%order, error = error_chain(&error), "an unpaid order cannot be decoded; its units stay reserved");
        self.unreadable += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Actor, Order};
    use ports::{
        Applied, CancelOutcome, MockOrderRepository, MockPaymentAttempts, MockPaymentProvider, MockSharedClock,
        PaymentAttempt,
    };
    use uuid::Uuid;

    use super::*;
    use crate::Ports;
    use crate::testing::{customers_order, holding_beside_undecodable, now, orders_on, ports, transaction};

    /// This many different orders.
    fn orders(many: u128) -> Vec<Order> {
        (1..=many).map(|n| Order { id: OrderId::new(Uuid::from_u128(n)), ..customers_order() }).collect()
    }

    /// A repository in which these orders are due, in batches of [`AT_ONCE`].
    fn due(orders: &[Order]) -> MockOrderRepository {
        let mut store = MockOrderRepository::new();
        store.expect_reserve().returning(|_, _| Ok(0));
        store.expect_remind().returning(|_| Ok(0));
        let mut batches: Vec<Vec<OrderId>> =
            orders.chunks(AT_ONCE as usize).rev().map(|batch| batch.iter().map(|order| order.id).collect()).collect();
        store.expect_lease_lapsed().returning(move |_| Ok(batches.pop().unwrap_or_default()));
        let held = orders.to_vec();
        store.expect_find().returning(move |id| Ok(held.iter().find(|order| order.id == id).cloned()));
        store
    }

    fn intents_of(paying: Vec<OrderId>) -> MockPaymentAttempts {
        let mut payment_attempts = MockPaymentAttempts::new();
        payment_attempts.expect_undecided().returning(move |order| {
            let open = PaymentAttempt::of_order(transaction(), order, customers_order().item.total);
            Ok(paying.contains(&order).then_some(open).into_iter().collect())
        });
        payment_attempts
    }

    #[tokio::test]
    async fn an_unpaid_order_with_an_expired_reservation_is_cancelled_by_the_shop() {
        let mut store = due(&orders(1));
        store
            .expect_apply()
            .times(1)
            .withf(|change| change.after.is_cancelled() && change.event.by == Actor::Shop)
            .returning(|_| Ok(Applied::Written));
        let service =
            orders_on(Ports { orders: Arc::new(store), payment_attempts: Arc::new(intents_of(Vec::new())), ..ports() });
        assert_eq!(service.expire_orders().await.unwrap(), Expired { cancelled: 1, ..Expired::default() });
    }

    #[tokio::test]
    async fn an_order_whose_payment_may_still_succeed_is_not_cancelled() {
        for outcome in [Err(()), Ok(CancelOutcome::Succeeded)] {
            let mut payments = MockPaymentProvider::new();
            payments
                .expect_cancel()
                .returning(move |_| outcome.map_err(|()| ProviderError::Unavailable("timeout".into())));
            // The payment cannot even be read: the order must not be cancelled on an assumption.
            payments.expect_find().returning(|_| Err(ProviderError::Unavailable("timeout".into())));
            let lapsed = orders(1);
            let service = orders_on(Ports {
                orders: Arc::new(due(&lapsed)),
                payment_attempts: Arc::new(intents_of(vec![lapsed[0].id])),
                payment_provider: Arc::new(payments),
                ..ports()
            });
            assert_eq!(service.expire_orders().await.unwrap(), Expired { not_cancelled: 1, ..Expired::default() });
        }
    }

    #[tokio::test]
    async fn a_hundred_orders_that_cannot_be_cancelled_block_no_other() {
        let lapsed = orders(101);
        let stuck = lapsed[..100].iter().map(|order| order.id).collect();
        let mut store = due(&lapsed);
        let last = lapsed[100].id;
        store.expect_apply().times(1).withf(move |change| change.after.id == last).returning(|_| Ok(Applied::Written));
        let mut payments = MockPaymentProvider::new();
        // The provider is unavailable: one failed call is enough to know.
        payments.expect_cancel().times(1).returning(|_| Err(ProviderError::Unavailable("timeout".into())));
        let payment_attempts = Arc::new(intents_of(stuck));
        let service = orders_on(Ports {
            orders: Arc::new(store),
            payment_attempts,
            payment_provider: Arc::new(payments),
            ..ports()
        });
        assert_eq!(
            service.expire_orders().await.unwrap(),
            Expired { cancelled: 1, not_cancelled: 100, ..Expired::default() }
        );
    }

    #[tokio::test]
    async fn an_order_that_cannot_be_decoded_is_skipped_and_the_next_one_is_cancelled() {
        let lapsed = orders(2);
        let mut store = holding_beside_undecodable(lapsed[0].id, &lapsed[1]);
        store.expect_reserve().returning(|_, _| Ok(0));
        store.expect_remind().returning(|_| Ok(3));
        store.expect_lease_lapsed().returning(move |_| Ok(lapsed.iter().map(|order| order.id).collect()));
        store.expect_apply().times(1).returning(|_| Ok(Applied::Written));
        let service =
            orders_on(Ports { orders: Arc::new(store), payment_attempts: Arc::new(intents_of(Vec::new())), ..ports() });
        let expected = Expired { cancelled: 1, unreadable: 1, reminded: 3, ..Expired::default() };
        assert_eq!(service.expire_orders().await.unwrap(), expected);
    }

    #[tokio::test]
    async fn payments_that_cannot_be_decoded_end_no_run_while_the_provider_is_unavailable() {
        let lapsed = orders(3);
        let (open, bad, good) = (lapsed[0].id, lapsed[1].id, lapsed[2].id);
        let mut store = due(&lapsed);
        store.expect_apply().times(1).withf(move |change| change.after.id == good).returning(|_| Ok(Applied::Written));
        let mut payment_attempts = MockPaymentAttempts::new();
        payment_attempts.expect_undecided().returning(move |order| {
            if order == bad {
                return Err(StoreError::Internal("a payment without an amount".into()));
            }
            let payment = PaymentAttempt::of_order(transaction(), order, customers_order().item.total);
            Ok((order == open).then_some(payment).into_iter().collect())
        });
        let mut payments = MockPaymentProvider::new();
        payments.expect_cancel().times(1).returning(|_| Err(ProviderError::Unavailable("timeout".into())));
        let service = orders_on(Ports {
            orders: Arc::new(store),
            payment_attempts: Arc::new(payment_attempts),
            payment_provider: Arc::new(payments),
            ..ports()
        });
        let expected = Expired { cancelled: 1, not_cancelled: 1, unreadable: 1, ..Expired::default() };
        assert_eq!(service.expire_orders().await.unwrap(), expected);
    }

    #[tokio::test]
    async fn an_unavailable_database_ends_the_run() {
        let mut store = MockOrderRepository::new();
        store.expect_reserve().returning(|_, _| Ok(0));
        store.expect_remind().returning(|_| Ok(0));
        store.expect_lease_lapsed().times(1).returning(|_| Ok(vec![customers_order().id]));
        store.expect_find().times(1).returning(|_| Err(StoreError::Unavailable("gone".into())));
        let service = orders_on(Ports { orders: Arc::new(store), ..ports() });
        assert!(matches!(service.expire_orders().await, Err(StoreError::Unavailable(_))));
    }

    #[tokio::test]
    async fn the_store_says_how_many_are_overdue() {
        let mut store = MockOrderRepository::new();
        store.expect_overdue().returning(|| Ok(7));
        let service = orders_on(Ports { orders: Arc::new(store), ..ports() });
        assert_eq!(service.overdue_orders().await.unwrap(), 7);
    }

    #[tokio::test]
    async fn an_instance_whose_clock_is_a_day_ahead_cancels_nothing() {
        let mut clock = MockSharedClock::new();
        clock.expect_read().returning(|| Ok(crate::platform::moments::earlier(now(), Duration::from_hours(25))));
        // No repository may be called.
        let service = orders_on(Ports { shared_clock: Arc::new(clock), ..ports() });
        assert_eq!(service.expire_orders().await.unwrap(), Expired { paused: true, ..Expired::default() });
    }
}
