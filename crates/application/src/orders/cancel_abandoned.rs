//! Cancelling the unpaid orders of accounts that were taken over: someone else had placed them.

use std::time::Duration;

use ports::StoreError;

use crate::Orders;
use crate::orders::expire_orders::Expired;
use crate::platform::moments::later;

/// How many orders are read in one batch.
const AT_ONCE: u32 = 100;
/// How long one run reads new batches; the rest waits for the next run.
const BUDGET: Duration = Duration::from_secs(40);
/// How long a sign-in waits for the cancellations. The background job does the rest.
const SIGN_IN_WAIT: Duration = Duration::from_secs(3);

impl Orders {
    /// Cancels unpaid orders of accounts that were taken over, and returns how many. The orders were marked in the
    /// transaction of the takeover, so none is lost if this process or the payment provider fails in between. One that
    /// cannot be cancelled now, or cannot be decoded, does not hold up the others.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed; earlier cancellations in this run stand.
    pub async fn cancel_abandoned_orders(&self) -> Result<u32, StoreError> {
        let enough = later(self.clock.now(), BUDGET);
        let mut run = Expired::default();
        let mut provider_unavailable = false;
        // What cannot be cancelled stays on the list: each batch begins after the previous one, not at the front.
        let mut after = None;
        loop {
            let batch = self.ownership.abandoned_orders(after, AT_ONCE).await?;
            let last = batch.len() < AT_ONCE as usize;
            after = batch.last().copied();
            for order in batch {
                self.expire_order(order, &mut provider_unavailable, &mut run).await?;
            }
            if last || self.clock.now() >= enough {
                return Ok(run.cancelled);
            }
        }
    }

    /// The same within a few seconds, for a sign-in that waits. It may stop anywhere; the background job continues.
    pub(crate) async fn cancel_abandoned_soon(&self) {
        match tokio::time::timeout(SIGN_IN_WAIT, self.cancel_abandoned_orders()).await {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => tracing::warn!(%error, "abandoned orders are left to the background job"),
            Err(_) => tracing::warn!("abandoned orders are left to the background job: it takes too long"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Actor, Order, OrderId};
    use ports::{
        Applied, MockOrderRepository, MockOwnershipRepository, MockPaymentAttempts, MockPaymentProvider,
        PaymentAttempt, ProviderError,
    };
    use uuid::Uuid;

    use super::*;
    use crate::Ports;
    use crate::testing::{customers_order, holding_all, holding_beside_undecodable, orders_on, ports, transaction};

    /// This many different orders, by their ids.
    fn orders(many: u128) -> Vec<Order> {
        (1..=many).map(|n| Order { id: OrderId::new(Uuid::from_u128(n)), ..customers_order() }).collect()
    }

    /// An ownership repository in which these orders are abandoned, whatever is tried with them.
    fn abandoned(orders: &[Order]) -> MockOwnershipRepository {
        let ids: Vec<OrderId> = orders.iter().map(|order| order.id).collect();
        let mut ownership = MockOwnershipRepository::new();
        ownership.expect_abandoned_orders().returning(move |after, limit| {
            let rest = ids.iter().copied().filter(|id| Some(*id) > after);
            Ok(rest.take(limit as usize).collect())
        });
        ownership
    }

    fn without_payments() -> MockPaymentAttempts {
        let mut payment_attempts = MockPaymentAttempts::new();
        payment_attempts.expect_undecided().returning(|_| Ok(Vec::new()));
        payment_attempts
    }

    /// A shop in which these orders are abandoned, and none of them has a payment.
    fn shop(abandoned_ones: &[Order], store: MockOrderRepository) -> Orders {
        orders_on(Ports {
            ownership: Arc::new(abandoned(abandoned_ones)),
            orders: Arc::new(store),
            payment_attempts: Arc::new(without_payments()),
            ..ports()
        })
    }

    #[tokio::test]
    async fn an_abandoned_order_is_cancelled_by_the_shop() {
        let orders = orders(1);
        let mut store = holding_all(&orders);
        store
            .expect_apply()
            .times(1)
            .withf(|change| change.after.is_cancelled() && change.event.by == Actor::Shop)
            .returning(|_| Ok(Applied::Written));
        let service = shop(&orders, store);
        assert_eq!(service.cancel_abandoned_orders().await.unwrap(), 1);
    }

    #[tokio::test]
    async fn an_order_that_cannot_be_decoded_is_skipped_and_the_next_one_is_cancelled() {
        let orders = orders(2);
        let mut store = holding_beside_undecodable(orders[0].id, &orders[1]);
        store.expect_apply().times(1).returning(|_| Ok(Applied::Written));
        let service = shop(&orders, store);
        assert_eq!(service.cancel_abandoned_orders().await.unwrap(), 1);
    }

    #[tokio::test]
    async fn orders_that_wait_for_the_provider_do_not_hold_up_those_behind_them() {
        let orders = orders(u128::from(AT_ONCE) + 1);
        let last = orders[AT_ONCE as usize].id;
        let mut store = holding_all(&orders);
        store.expect_apply().times(1).withf(move |change| change.after.id == last).returning(|_| Ok(Applied::Written));
        let mut payment_attempts = MockPaymentAttempts::new();
        payment_attempts.expect_undecided().returning(move |order| {
            let open = PaymentAttempt::of_order(transaction(), order, customers_order().item.total);
            Ok((order != last).then_some(open).into_iter().collect())
        });
        let mut payments = MockPaymentProvider::new();
        // The provider is unavailable: one failed call is enough to know.
        payments.expect_cancel().times(1).returning(|_| Err(ProviderError::Unavailable("timeout".into())));
        let service = orders_on(Ports {
            ownership: Arc::new(abandoned(&orders)),
            orders: Arc::new(store),
            payment_attempts: Arc::new(payment_attempts),
            payment_provider: Arc::new(payments),
            ..ports()
        });
        assert_eq!(service.cancel_abandoned_orders().await.unwrap(), 1);
    }

    #[tokio::test]
    async fn a_sign_in_cancels_what_was_abandoned_before_it_goes_on() {
        let orders = orders(1);
        let mut store = holding_all(&orders);
        store.expect_apply().times(1).returning(|_| Ok(Applied::Written));
        let service = shop(&orders, store);
        service.cancel_abandoned_soon().await;
    }
}
