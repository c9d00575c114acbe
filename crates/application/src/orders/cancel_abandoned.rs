//! Cancelling the unpaid orders of accounts that were taken over: someone else had placed them.

use std::time::Duration;

use domain::Actor;
use ports::StoreError;

use crate::{Failure, Orders, Unavailable};

/// How many orders one run cancels; the rest wait for the next run.
const AT_ONCE: u32 = 100;
/// How long a sign-in waits for the cancellations. The background job does the rest.
const PATIENCE: Duration = Duration::from_secs(3);

impl Orders {
    /// Cancels unpaid orders of accounts that were taken over, and returns how many. The orders were marked in the
    /// transaction of the takeover, so none is lost if this process or the payment provider fails in between.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed; earlier cancellations in this run stand.
    pub async fn cancel_abandoned_orders(&self) -> Result<u32, StoreError> {
        let mut cancelled = 0;
        for order in self.ownership.abandoned_orders(AT_ONCE).await? {
            match self.cancel_for(&Actor::Shop, order, |_| Ok(())).await {
                Ok(true) => cancelled += 1,
                Ok(false) => {}
                Err(Failure::Unavailable(Unavailable::Store(error))) => return Err(error),
                // Paid or shipped in the meantime, or the provider is unavailable: the next run checks again.
                Err(error) => tracing::info!(%order, %error, "an abandoned order is not cancelled yet"),
            }
        }
        Ok(cancelled)
    }

    /// The same within a few seconds, for a sign-in that waits. It may stop anywhere; the background job continues.
    pub(crate) async fn cancel_abandoned_soon(&self) {
        match tokio::time::timeout(PATIENCE, self.cancel_abandoned_orders()).await {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => tracing::warn!(%error, "abandoned orders are left to the background job"),
            Err(_) => tracing::warn!("abandoned orders are left to the background job: it takes too long"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ports::{Applied, MockOwnershipRepository, MockPaymentAttempts};

    use super::*;
    use crate::Ports;
    use crate::testing::{customers_order, holding, orders_on, ports};

    #[tokio::test]
    async fn an_abandoned_order_is_cancelled_by_the_shop() {
        let order = customers_order();
        let id = order.id;
        let mut ownership = MockOwnershipRepository::new();
        ownership.expect_abandoned_orders().returning(move |_| Ok(vec![id]));
        let mut orders = holding(&order);
        orders
            .expect_apply()
            .times(1)
            .withf(|change| change.after.is_cancelled() && change.event.by == Actor::Shop)
            .returning(|_| Ok(Applied::Written));
        let mut payment_attempts = MockPaymentAttempts::new();
        payment_attempts.expect_undecided().returning(|_| Ok(Vec::new()));
        let service = orders_on(Ports {
            ownership: Arc::new(ownership),
            orders: Arc::new(orders),
            payment_attempts: Arc::new(payment_attempts),
            ..ports()
        });
        assert_eq!(service.cancel_abandoned_orders().await.unwrap(), 1);
    }
}
