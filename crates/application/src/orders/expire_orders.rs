//! Giving up orders that nobody paid in time, so that their units can be sold to somebody who does.

use std::time::Duration;

use domain::{Actor, OrderId};
use ports::{ProviderError, StoreError};

use crate::Shop;
use crate::orders::cancel_order::CancelOrderError;
use crate::shop::later;

/// How many orders are taken at once.
const AT_ONCE: u32 = 50;
/// How long one run takes more of them; what is due then waits for the next run, or for another copy.
const BUDGET: Duration = Duration::from_secs(40);
/// How many buyers one run reminds, and how many orders of the previous program it gives their time.
const MANY: u32 = 500;

/// What one run came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Expired {
    /// Orders that were cancelled; their units are for sale again.
    pub cancelled: u32,
    /// Orders that stay for now: paid at the last moment, or the provider did not say that their payment is stopped.
    pub kept: u32,
    /// Orders that could not even be read. They are tried again, less and less often, and stand in nobody's way.
    pub unreadable: u32,
    /// Buyers who were e-mailed because their order's time is nearly up.
    pub reminded: u32,
    /// Nothing was done, because this copy's clock is not the database's.
    pub paused: bool,
}

impl Shop {
    /// Reminds buyers whose order's time is nearly up, and cancels unpaid, unshipped orders whose time is, as their buyers
    /// could. The payment provider is asked to stop the open payment first, and money that has come in by then settles the
    /// order instead. Any number of copies of the shop may do this at once; they share the work. An order that cannot be
    /// given up is tried again later and later, and holds up no other.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed; what was cancelled until then stays cancelled.
    pub async fn expire_orders(&self) -> Result<Expired, StoreError> {
        let mut expired = Expired::default();
        if !self.clocks_agree().await? {
            return Ok(Expired { paused: true, ..expired });
        }
        self.orders.reserve(self.reservations.usual, MANY).await?;
        expired.reminded = self.orders.remind(MANY).await?;
        let enough = later(self.clock.now(), BUDGET);
        // Whether the provider has failed in this run: then orders with an open payment are not worth waiting for.
        let mut provider_away = false;
        loop {
            let due = self.orders.lease_lapsed(AT_ONCE).await?;
            let last = due.len() < AT_ONCE as usize;
            for order in due {
                self.give_up_order(order, &mut provider_away, &mut expired).await?;
            }
            if last || self.clock.now() >= enough {
                return Ok(expired);
            }
        }
    }

    /// How many orders keep units past their time because the shop could not give them up.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn overdue_orders(&self) -> Result<u64, StoreError> {
        self.orders.overdue().await
    }

    async fn give_up_order(
        &self,
        order: OrderId,
        provider_away: &mut bool,
        expired: &mut Expired,
    ) -> Result<(), StoreError> {
        if *provider_away && !self.payment_attempts.undecided(order).await?.is_empty() {
            expired.kept += 1;
            return Ok(());
        }
        match self.cancel_for(&Actor::Shop, order, |_| Ok(())).await {
            Ok(true) => expired.cancelled += 1,
            Ok(false) => {}
            Err(CancelOrderError::Store(error @ StoreError::Internal(_))) => {
                tracing::error!(%order, error = error_chain(&error), "an unpaid order cannot be read, so its units stay kept");
                expired.unreadable += 1;
            }
            Err(CancelOrderError::Store(error)) => return Err(error),
            Err(error) => {
                *provider_away |= matches!(error, CancelOrderError::Provider(ProviderError::Unavailable(_)));
                tracing::info!(%order, %error, "an unpaid order is kept past its time for now");
                expired.kept += 1;
            }
        }
        Ok(())
    }
}

/// An error and everything behind it, on one line.
fn error_chain(error: &dyn std::error::Error) -> String {
    let mut told = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        told.push_str(": ");
        told.push_str(&error.to_string());
        cause = error.source();
    }
    told
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Order;
    use ports::{
        Applied, CancelOutcome, MockOrderRepository, MockPaymentAttempts, MockPaymentProvider, MockSharedClock,
        PaymentAttempt,
    };
    use uuid::Uuid;

    use super::*;
    use crate::testing::{customers_order, now, shop, transaction};

    /// So many different orders.
    fn orders(many: u128) -> Vec<Order> {
        (1..=many).map(|n| Order { id: OrderId::new(Uuid::from_u128(n)), ..customers_order() }).collect()
    }

    /// A store in which these are due, all of them in the first batch that is taken.
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
            let open = PaymentAttempt { id: transaction(), order, amount: customers_order().item.total };
            Ok(paying.contains(&order).then_some(open).into_iter().collect())
        });
        payment_attempts
    }

    #[tokio::test]
    async fn an_unpaid_order_whose_time_is_up_is_cancelled_by_the_shop() {
        let mut store = due(&orders(1));
        store
            .expect_apply()
            .times(1)
            .withf(|change| change.after.is_cancelled() && change.event.by == Actor::Shop)
            .returning(|_| Ok(Applied::Written));
        let shop = Shop { orders: Arc::new(store), payment_attempts: Arc::new(intents_of(Vec::new())), ..shop() };
        assert_eq!(shop.expire_orders().await.unwrap(), Expired { cancelled: 1, ..Expired::default() });
    }

    #[tokio::test]
    async fn an_order_whose_payment_may_still_succeed_is_kept() {
        for outcome in [Err(()), Ok(CancelOutcome::Succeeded)] {
            let mut payments = MockPaymentProvider::new();
            payments
                .expect_cancel()
                .returning(move |_| outcome.map_err(|()| ProviderError::Unavailable("timeout".into())));
            // It cannot even be read any more: nothing may be cancelled on a guess.
            payments.expect_find().returning(|_| Err(ProviderError::Unavailable("timeout".into())));
            let lapsed = orders(1);
            let shop = Shop {
                orders: Arc::new(due(&lapsed)),
                payment_attempts: Arc::new(intents_of(vec![lapsed[0].id])),
                payments: Arc::new(payments),
                ..shop()
            };
            assert_eq!(shop.expire_orders().await.unwrap(), Expired { kept: 1, ..Expired::default() });
        }
    }

    #[tokio::test]
    async fn a_hundred_orders_that_cannot_be_given_up_hold_up_no_other() {
        let lapsed = orders(101);
        let stuck = lapsed[..100].iter().map(|order| order.id).collect();
        let mut store = due(&lapsed);
        let last = lapsed[100].id;
        store.expect_apply().times(1).withf(move |change| change.after.id == last).returning(|_| Ok(Applied::Written));
        let mut payments = MockPaymentProvider::new();
        // It is away: once is enough to know.
        payments.expect_cancel().times(1).returning(|_| Err(ProviderError::Unavailable("timeout".into())));
        let payment_attempts = Arc::new(intents_of(stuck));
        let shop = Shop { orders: Arc::new(store), payment_attempts, payments: Arc::new(payments), ..shop() };
        assert_eq!(shop.expire_orders().await.unwrap(), Expired { cancelled: 1, kept: 100, ..Expired::default() });
    }

    #[tokio::test]
    async fn an_order_that_cannot_be_read_is_set_aside_and_the_next_one_is_given_up() {
        let lapsed = orders(2);
        let (bad, good) = (lapsed[0].id, lapsed[1].clone());
        let mut store = MockOrderRepository::new();
        store.expect_reserve().returning(|_, _| Ok(0));
        store.expect_remind().returning(|_| Ok(3));
        store.expect_lease_lapsed().returning(move |_| Ok(lapsed.iter().map(|order| order.id).collect()));
        store.expect_find().returning(move |id| {
            if id == bad { Err(StoreError::Internal("a phone of spaces".into())) } else { Ok(Some(good.clone())) }
        });
        store.expect_apply().times(1).returning(|_| Ok(Applied::Written));
        let shop = Shop { orders: Arc::new(store), payment_attempts: Arc::new(intents_of(Vec::new())), ..shop() };
        let expected = Expired { cancelled: 1, unreadable: 1, reminded: 3, ..Expired::default() };
        assert_eq!(shop.expire_orders().await.unwrap(), expected);
    }

    #[tokio::test]
    async fn a_database_that_is_away_ends_the_run() {
        let mut store = MockOrderRepository::new();
        store.expect_reserve().returning(|_, _| Ok(0));
        store.expect_remind().returning(|_| Ok(0));
        store.expect_lease_lapsed().times(1).returning(|_| Ok(vec![customers_order().id]));
        store.expect_find().times(1).returning(|_| Err(StoreError::Unavailable("gone".into())));
        let shop = Shop { orders: Arc::new(store), ..shop() };
        assert!(matches!(shop.expire_orders().await, Err(StoreError::Unavailable(_))));
    }

    #[tokio::test]
    async fn a_copy_whose_clock_is_a_day_ahead_gives_up_nothing() {
        let mut clock = MockSharedClock::new();
        clock.expect_read().returning(|| Ok(crate::shop::earlier(now(), Duration::from_hours(25))));
        // No store may be asked for anything.
        let shop = Shop { shared_clock: Arc::new(clock), ..shop() };
        assert_eq!(shop.expire_orders().await.unwrap(), Expired { paused: true, ..Expired::default() });
    }
}
