//! Cancelling an order.

use domain::accounts::access::Denied;
use domain::orders::order::Change;
use domain::orders::refusals::CancelRefused;
use domain::{Actor, Caller, Order, OrderId, Permission};
use ports::Applied;

use crate::change_order::{Attempt, change_order};
use crate::{Failure, Orders};

impl Orders {
    /// Cancels an order: first its open payment is cancelled, then its units return to stock, exactly once. Returns
    /// whether this call did it; `false` if it was cancelled before.
    ///
    /// # Errors
    /// [`CancelRefused`] once it is paid or shipped.
    pub async fn cancel_order(&self, caller: &Caller, id: OrderId) -> Result<bool, Failure<CancelRefused>> {
        let may = |order: &Order| caller.require_owner(Permission::CancelOrder, order.customer);
        self.cancel_for(&caller.actor(), id, may).await
    }

    /// Cancels an order for an actor; `may` checks their permission once the order is read.
    pub(crate) async fn cancel_for(
        &self,
        by: &Actor,
        id: OrderId,
        may: impl Fn(&Order) -> Result<(), Denied>,
    ) -> Result<bool, Failure<CancelRefused>> {
        let may = &may;
        change_order(&*self.orders, id, |order| async move {
            may(&order)?;
            self.cancel_one(order, by).await
        })
        .await
    }

    /// Cancels an unpaid order whose reservation has expired; one of a checkout with all others of it that are unpaid.
    pub(crate) async fn cancel_lapsed(&self, id: OrderId) -> Result<bool, Failure<CancelRefused>> {
        change_order(&*self.orders, id, |order| async move {
            match order.checkout() {
                Some(checkout) if !order.is_cancelled() => {
                    let stored = self.checkouts.find(checkout).await?.ok_or(Denied::NotFound)?;
                    let cancelled = self.cancel_unpaid(stored.orders, &Actor::Shop).await?;
                    Ok(cancelled.map(|many| many > 0))
                }
                _ => self.cancel_one(order, &Actor::Shop).await,
            }
        })
        .await
    }

    async fn cancel_one(&self, order: Order, by: &Actor) -> Result<Attempt<bool>, Failure<CancelRefused>> {
        if order.is_cancelled() {
            return Ok(Attempt::Done(false));
        }
        let change = order.clone().cancel(self.events.meta(by.clone())).map_err(Failure::Refused)?;
        self.payments.stop_payments(&order).await?;
        if self.orders.apply(&change).await? == Applied::Conflict {
            return Ok(Attempt::Conflict);
        }
        // A payment may have been opened in between. If cancelling it fails here, the reconciler does it.
        if let Err(error) = self.payments.stop_payments(&change.after).await {
            tracing::warn!(order = %order.id, %error, "a cancelled order's payment is left to the reconciler");
        }
        Ok(Attempt::Done(true))
    }

    /// Cancels those of a checkout's orders that are neither paid, shipped nor cancelled, all at once: their open payments are
    /// cancelled first. Returns how many.
    pub(crate) async fn cancel_unpaid(
        &self,
        orders: Vec<Order>,
        by: &Actor,
    ) -> Result<Attempt<usize>, Failure<CancelRefused>> {
        let standing: Vec<Order> = orders.into_iter().filter(|order| !order.is_cancelled()).collect();
        let mut refused = None;
        let mut changes: Vec<Change> = Vec::new();
        for order in &standing {
            match order.clone().cancel(self.events.meta(by.clone())) {
                Ok(change) => changes.push(change),
                Err(why) => refused = Some(why),
            }
        }
        if changes.is_empty() {
            return refused.map_or(Ok(Attempt::Done(0)), |why| Err(Failure::Refused(why)));
        }
        for change in &changes {
            self.payments.stop_payments(&change.after).await?;
        }
        if self.orders.apply_all(&changes, None).await? == Applied::Conflict {
            return Ok(Attempt::Conflict);
        }
        // A payment may have been opened in between. If cancelling it fails here, the reconciler does it.
        for change in &changes {
            if let Err(error) = self.payments.stop_payments(&change.after).await {
                tracing::warn!(order = %change.after.id, %error, "a cancelled order's payment is left to the reconciler");
            }
        }
        Ok(Attempt::Done(changes.len()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use ports::{
        CancelOutcome, Ended, MockOrderRepository, MockPaymentAttempts, MockPaymentProvider, PaymentAttempt,
        PaymentIntentState, ProviderError,
    };

    use super::*;
    use crate::Ports;
    use crate::Unavailable;
    use crate::testing::{caller, customers_order, holding, intent, meta, orders_on, paid_order, ports, transaction};

    fn payment_attempt(order: &Order) -> PaymentAttempt {
        PaymentAttempt::of_order(transaction(), order.id, order.item.total)
    }

    fn without_payment() -> Arc<MockPaymentAttempts> {
        let mut payment_attempts = MockPaymentAttempts::new();
        payment_attempts.expect_undecided().returning(|_| Ok(Vec::new()));
        Arc::new(payment_attempts)
    }

    #[tokio::test]
    async fn a_customer_cancels_their_own_unpaid_order() {
        let order = customers_order();
        let mut orders = holding(&order);
        orders.expect_apply().times(1).withf(|change| change.after.is_cancelled()).returning(|_| Ok(Applied::Written));
        let service = orders_on(Ports { orders: Arc::new(orders), payment_attempts: without_payment(), ..ports() });
        assert!(service.cancel_order(&caller(Role::Customer), order.id).await.unwrap());
    }

    #[tokio::test]
    async fn cancelling_again_changes_nothing() {
        let order = customers_order().cancel(meta(domain::Actor::Shop)).unwrap().after;
        let service = orders_on(Ports { orders: Arc::new(holding(&order)), ..ports() });
        assert!(!service.cancel_order(&caller(Role::Customer), order.id).await.unwrap());
    }

    #[tokio::test]
    async fn another_accounts_order_is_not_found() {
        let mut order = customers_order();
        order.customer = domain::AccountId::new(uuid::Uuid::from_u128(999));
        let service = orders_on(Ports { orders: Arc::new(holding(&order)), ..ports() });
        let refused = service.cancel_order(&caller(Role::Customer), order.id).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::NotFound))));
    }

    #[tokio::test]
    async fn a_paid_order_is_not_cancelled() {
        let order = paid_order();
        let service = orders_on(Ports { orders: Arc::new(holding(&order)), ..ports() });
        let refused = service.cancel_order(&caller(Role::Admin), order.id).await;
        assert!(matches!(refused, Err(Failure::Refused(CancelRefused::Paid))));
    }

    #[tokio::test]
    async fn an_open_payment_is_cancelled_before_the_order() {
        let order = customers_order();
        let mut sequence = mockall::Sequence::new();
        let mut payments = MockPaymentProvider::new();
        payments.expect_cancel().times(1).in_sequence(&mut sequence).returning(|_| Ok(CancelOutcome::Cancelled));
        let mut orders = holding(&order);
        orders.expect_apply().times(1).in_sequence(&mut sequence).returning(|_| Ok(Applied::Written));
        let mut payment_attempts = MockPaymentAttempts::new();
        let open = payment_attempt(&order);
        payment_attempts.expect_undecided().times(1).returning(move |_| Ok(vec![open.clone()]));
        payment_attempts.expect_undecided().times(1).returning(|_| Ok(Vec::new()));
        payment_attempts
            .expect_close()
            .times(1)
            .withf(|_, ended, _| *ended == Ended::Cancelled)
            .returning(|_, _, _| Ok(()));
        let service = orders_on(Ports {
            orders: Arc::new(orders),
            payment_provider: Arc::new(payments),
            payment_attempts: Arc::new(payment_attempts),
            ..ports()
        });
        assert!(service.cancel_order(&caller(Role::Customer), order.id).await.unwrap());
    }

    #[tokio::test]
    async fn an_order_with_a_payment_unknown_to_the_provider_is_not_cancelled() {
        let order = customers_order();
        let mut payments = MockPaymentProvider::new();
        payments.expect_cancel().times(1).returning(|_| Ok(CancelOutcome::Unknown));
        let mut payment_attempts = MockPaymentAttempts::new();
        let open = payment_attempt(&order);
        payment_attempts.expect_undecided().returning(move |_| Ok(vec![open.clone()]));
        let service = orders_on(Ports {
            orders: Arc::new(holding(&order)),
            payment_provider: Arc::new(payments),
            payment_attempts: Arc::new(payment_attempts),
            ..ports()
        });
        let refused = service.cancel_order(&caller(Role::Customer), order.id).await;
        assert!(matches!(refused, Err(Failure::Unavailable(Unavailable::Provider(_)))), "{refused:?}");
    }

    #[tokio::test]
    async fn an_order_is_not_cancelled_while_the_provider_is_unavailable() {
        let order = customers_order();
        let mut payments = MockPaymentProvider::new();
        payments.expect_cancel().returning(|_| Err(ProviderError::Unavailable("timeout".into())));
        let mut payment_attempts = MockPaymentAttempts::new();
        let open = payment_attempt(&order);
        payment_attempts.expect_undecided().returning(move |_| Ok(vec![open.clone()]));
        let service = orders_on(Ports {
            orders: Arc::new(holding(&order)),
            payment_provider: Arc::new(payments),
            payment_attempts: Arc::new(payment_attempts),
            ..ports()
        });
        let refused = service.cancel_order(&caller(Role::Customer), order.id).await;
        assert!(matches!(refused, Err(Failure::Unavailable(Unavailable::Provider(_)))));
    }

    #[tokio::test]
    async fn money_that_arrives_first_settles_the_order_and_it_is_not_cancelled() {
        let (unpaid, paid) = (customers_order(), paid_order());
        let id = unpaid.id;
        let mut orders = MockOrderRepository::new();
        let before = unpaid.clone();
        orders.expect_find().times(2).returning(move |_| Ok(Some(before.clone())));
        orders.expect_apply().times(1).withf(|change| change.after.is_paid()).returning(|_| Ok(Applied::Written));
        // The cancellation was decided before: it conflicts, and is decided again.
        orders.expect_apply().times(1).withf(|change| change.after.is_cancelled()).returning(|_| Ok(Applied::Conflict));
        orders.expect_find().returning(move |_| Ok(Some(paid.clone())));
        let mut payments = MockPaymentProvider::new();
        payments.expect_cancel().returning(|_| Ok(CancelOutcome::Succeeded));
        let succeeded = intent(&unpaid, PaymentIntentState::Succeeded);
        payments.expect_find().returning(move |_| Ok(Some(succeeded.clone())));
        let mut payment_attempts = MockPaymentAttempts::new();
        let open = payment_attempt(&unpaid);
        payment_attempts.expect_undecided().returning(move |_| Ok(vec![open.clone()]));
        payment_attempts.expect_close().returning(|_, _, _| Ok(()));
        let service = orders_on(Ports {
            orders: Arc::new(orders),
            payment_provider: Arc::new(payments),
            payment_attempts: Arc::new(payment_attempts),
            ..ports()
        });
        let refused = service.cancel_order(&caller(Role::Customer), id).await;
        assert!(matches!(refused, Err(Failure::Refused(CancelRefused::Paid))));
    }
}
