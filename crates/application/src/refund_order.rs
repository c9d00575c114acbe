//! Refunding a paid order: it leaves the queue, its units go back to the shelf, and its money goes back to the buyer.

use domain::access::Denied;
use domain::order::{CallOffRefused, RefundRefused};
use domain::{Actor, Caller, Order, OrderId, Permission};
use ports::{Applied, ProviderError, RefundOutcome, StoreError};
use thiserror::Error;

use crate::Shop;
use crate::shop::ROUNDS;

/// How many orders one round pays back; more wait for the next.
const AT_ONCE: u32 = 100;

/// Why an order was not refunded. Nothing was changed.
#[derive(Debug, Error)]
pub enum RefundOrderError {
    /// The caller is no admin, or the order was cancelled unpaid or never was.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// It is unpaid or shipped.
    #[error(transparent)]
    Refused(#[from] CallOffRefused),
    /// It changed again and again meanwhile.
    #[error("the order is changing too fast")]
    TooBusy,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why an order's money has not gone back yet.
#[derive(Debug, Error)]
pub(crate) enum PayBackError {
    /// The provider knows of no money that came in, although the order says so: for a person to look at.
    #[error("the provider holds no money of this order")]
    NothingThere,
    /// The order changed again and again meanwhile.
    #[error("the order is changing too fast")]
    TooBusy,
    /// The provider failed.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Shop {
    /// Calls a paid, unshipped order off and sends its money back. The decision is on record before the provider is
    /// asked, so that the order cannot ship meanwhile; if the provider does not answer, the reconciler asks again until
    /// it does. Answers whether this call decided it; `false` if it was decided before.
    ///
    /// # Errors
    /// [`RefundOrderError`].
    pub async fn refund_order(&self, caller: &Caller, id: OrderId) -> Result<bool, RefundOrderError> {
        caller.ask(Permission::RefundOrder)?;
        for _ in 0..ROUNDS {
            let order = self.orders.find(id).await?.ok_or(Denied::Absent)?;
            if order.is_cancelled() {
                // One that was cancelled before it was paid is gone from every list, and was never refunded by anybody.
                return if order.progress.payment.transaction().is_some() {
                    Ok(false)
                } else {
                    Err(Denied::Absent.into())
                };
            }
            let change = order.call_off(self.stamp(caller.actor()))?;
            if self.orders.apply(&change).await? == Applied::Written {
                if let Err(error) = self.pay_back(change.after, caller.actor()).await {
                    tracing::warn!(order = %id, %error, "a refund is left to the reconciler");
                }
                return Ok(true);
            }
        }
        Err(RefundOrderError::TooBusy)
    }

    /// Pays back what called-off orders still owe. Answers how many orders were paid back, and how many still owe.
    pub(crate) async fn pay_back_what_is_owed(&self) -> Result<(u32, u32), StoreError> {
        let (mut sent_back, mut owing) = (0, 0);
        for order in self.orders.owing(AT_ONCE).await? {
            let id = order.id;
            match self.pay_back(order, Actor::Shop).await {
                Ok(()) => sent_back += 1,
                Err(PayBackError::Store(error)) => return Err(error),
                Err(error) => {
                    tracing::warn!(order = %id, %error, "a refund is still owed");
                    owing += 1;
                }
            }
        }
        Ok((sent_back, owing))
    }

    /// Sends the money of a called-off order back and records it. The provider is asked first, and asking again sends
    /// nothing twice.
    async fn pay_back(&self, mut order: Order, by: Actor) -> Result<(), PayBackError> {
        for _ in 0..ROUNDS {
            let Some(transaction) = order.owed().cloned() else { return Ok(()) };
            match self.payments.refund(&transaction).await? {
                RefundOutcome::Refunded => {}
                RefundOutcome::NothingThere => return Err(PayBackError::NothingThere),
            }
            let id = order.id;
            match order.refund(transaction, self.stamp(by.clone())) {
                Ok(change) => {
                    if self.orders.apply(&change).await? == Applied::Written {
                        return Ok(());
                    }
                }
                Err(RefundRefused::Refunded | RefundRefused::Standing | RefundRefused::ByAnother) => return Ok(()),
            }
            let Some(now) = self.orders.find(id).await? else { return Ok(()) };
            order = now;
        }
        Err(PayBackError::TooBusy)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Payment, Role};
    use ports::{MockOrderStore, MockPaymentProvider};

    use super::*;
    use crate::testing::{caller, customers_order, holding, paid_order, shop};

    fn called_off() -> Order {
        paid_order().call_off(shop().stamp(Actor::Shop)).unwrap().after
    }

    fn answering(outcome: Result<RefundOutcome, ()>) -> Arc<MockPaymentProvider> {
        let mut payments = MockPaymentProvider::new();
        payments
            .expect_refund()
            .times(1)
            .returning(move |_| outcome.map_err(|()| ProviderError::Away("timeout".into())));
        Arc::new(payments)
    }

    #[tokio::test]
    async fn a_paid_order_is_called_off_before_its_money_goes_back() {
        let order = paid_order();
        let mut sequence = mockall::Sequence::new();
        let mut orders = holding(&order);
        orders
            .expect_apply()
            .times(1)
            .in_sequence(&mut sequence)
            .withf(|change| change.after.owed().is_some())
            .returning(|_| Ok(Applied::Written));
        let mut payments = MockPaymentProvider::new();
        payments.expect_refund().times(1).in_sequence(&mut sequence).returning(|_| Ok(RefundOutcome::Refunded));
        orders
            .expect_apply()
            .times(1)
            .in_sequence(&mut sequence)
            .withf(|change| matches!(change.after.progress.payment, Payment::Refunded { .. }))
            .returning(|_| Ok(Applied::Written));
        let shop = Shop { orders: Arc::new(orders), payments: Arc::new(payments), ..shop() };
        assert!(shop.refund_order(&caller(Role::Admin), order.id).await.unwrap());
    }

    #[tokio::test]
    async fn a_provider_that_does_not_answer_leaves_the_refund_to_the_reconciler() {
        let order = paid_order();
        let mut orders = holding(&order);
        orders.expect_apply().times(1).returning(|_| Ok(Applied::Written));
        let shop = Shop { orders: Arc::new(orders), payments: answering(Err(())), ..shop() };
        assert!(shop.refund_order(&caller(Role::Admin), order.id).await.unwrap());
    }

    #[tokio::test]
    async fn what_is_owed_is_paid_back_and_recorded() {
        let order = called_off();
        let mut orders = MockOrderStore::new();
        let owing = order.clone();
        orders.expect_owing().returning(move |_| Ok(vec![owing.clone()]));
        orders
            .expect_apply()
            .times(1)
            .withf(|change| matches!(change.after.progress.payment, Payment::Refunded { .. }))
            .returning(|_| Ok(Applied::Written));
        let shop = Shop { orders: Arc::new(orders), payments: answering(Ok(RefundOutcome::Refunded)), ..shop() };
        assert_eq!(shop.pay_back_what_is_owed().await.unwrap(), (1, 0));
    }

    #[tokio::test]
    async fn money_that_the_provider_never_had_is_not_recorded_as_sent() {
        let order = called_off();
        let mut orders = MockOrderStore::new();
        orders.expect_owing().returning(move |_| Ok(vec![order.clone()]));
        let shop = Shop { orders: Arc::new(orders), payments: answering(Ok(RefundOutcome::NothingThere)), ..shop() };
        assert_eq!(shop.pay_back_what_is_owed().await.unwrap(), (0, 1));
    }

    #[tokio::test]
    async fn refunding_again_changes_nothing() {
        for order in
            [called_off(), called_off().refund(crate::testing::transaction(), shop().stamp(Actor::Shop)).unwrap().after]
        {
            let shop = Shop { orders: Arc::new(holding(&order)), ..shop() };
            assert!(!shop.refund_order(&caller(Role::Admin), order.id).await.unwrap());
        }
    }

    #[tokio::test]
    async fn an_unpaid_or_shipped_order_is_not_refunded() {
        let shipped = paid_order().ship(shop().stamp(Actor::Shop)).unwrap().after;
        for (order, expected) in [(customers_order(), CallOffRefused::Unpaid), (shipped, CallOffRefused::Shipped)] {
            let shop = Shop { orders: Arc::new(holding(&order)), ..shop() };
            let refused = shop.refund_order(&caller(Role::Admin), order.id).await;
            assert!(matches!(refused, Err(RefundOrderError::Refused(why)) if why == expected), "{refused:?}");
        }
    }

    #[tokio::test]
    async fn a_customer_refunds_nothing() {
        let refused = shop().refund_order(&caller(Role::Customer), paid_order().id).await;
        assert!(matches!(refused, Err(RefundOrderError::Denied(Denied::Forbidden))));
    }
}
