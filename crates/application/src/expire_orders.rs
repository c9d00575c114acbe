//! Giving up orders that nobody paid, so that their units can be sold to somebody who does.

use std::time::Duration;

use domain::Actor;
use ports::StoreError;

use crate::Shop;
use crate::cancel_order::CancelOrderError;
use crate::shop::earlier;

/// How many orders one round gives up; more wait for the next.
const AT_ONCE: u32 = 100;

/// What one round came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Expired {
    /// Orders that were cancelled; their units are back on the shelf.
    pub cancelled: u32,
    /// Orders that stay for now: paid at the last moment, or the provider did not say that their payment is stopped.
    pub kept: u32,
}

impl Shop {
    /// Cancels unpaid, unshipped orders that are older than `hold`, as their buyers could. The payment provider is asked
    /// to stop the open payment first, and money that has come in by then settles the order instead. Any number of
    /// copies of the shop may do this at once.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed; what was cancelled until then stays cancelled.
    pub async fn expire_orders(&self, hold: Duration) -> Result<Expired, StoreError> {
        let mut expired = Expired::default();
        for order in self.orders.unpaid_before(earlier(self.clock.now(), hold), AT_ONCE).await? {
            match self.cancel_for(&Actor::Shop, order.id, |_| Ok(())).await {
                Ok(true) => expired.cancelled += 1,
                Ok(false) => {}
                Err(CancelOrderError::Store(error)) => return Err(error),
                Err(error) => {
                    tracing::info!(order = %order.id, %error, "an old unpaid order is kept for now");
                    expired.kept += 1;
                }
            }
        }
        Ok(expired)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ports::{Applied, CancelOutcome, MockIntentStore, MockPaymentProvider, OpenIntent, ProviderError};

    use super::*;
    use crate::testing::{customers_order, holding, now, shop, transaction};

    const DAY: Duration = Duration::from_hours(24);

    #[tokio::test]
    async fn an_old_unpaid_order_is_cancelled_by_the_shop() {
        let order = customers_order();
        let mut orders = holding(&order);
        let old = order.clone();
        orders
            .expect_unpaid_before()
            .withf(|moment, _| *moment == earlier(now(), DAY))
            .returning(move |_, _| Ok(vec![old.clone()]));
        orders
            .expect_apply()
            .times(1)
            .withf(|change| change.after.is_cancelled() && change.event.by == Actor::Shop)
            .returning(|_| Ok(Applied::Written));
        let mut intents = MockIntentStore::new();
        intents.expect_open_for().returning(|_| Ok(None));
        let shop = Shop { orders: Arc::new(orders), intents: Arc::new(intents), ..shop() };
        assert_eq!(shop.expire_orders(DAY).await.unwrap(), Expired { cancelled: 1, kept: 0 });
    }

    #[tokio::test]
    async fn an_order_whose_payment_may_still_succeed_is_kept() {
        let order = customers_order();
        for outcome in [Err(()), Ok(CancelOutcome::Succeeded)] {
            let mut payments = MockPaymentProvider::new();
            payments.expect_cancel().returning(move |_| outcome.map_err(|()| ProviderError::Away("timeout".into())));
            // It cannot even be read any more: nothing may be cancelled on a guess.
            payments.expect_find().returning(|_| Err(ProviderError::Away("timeout".into())));
            let mut orders = holding(&order);
            let old = order.clone();
            orders.expect_unpaid_before().returning(move |_, _| Ok(vec![old.clone()]));
            let mut intents = MockIntentStore::new();
            let open = OpenIntent { id: transaction(), order: order.id, amount: order.item.total };
            intents.expect_open_for().returning(move |_| Ok(Some(open.clone())));
            let shop =
                Shop { orders: Arc::new(orders), intents: Arc::new(intents), payments: Arc::new(payments), ..shop() };
            assert_eq!(shop.expire_orders(DAY).await.unwrap(), Expired { cancelled: 0, kept: 1 });
        }
    }
}
