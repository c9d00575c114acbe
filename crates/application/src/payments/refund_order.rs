//! Refunding a paid order, in full or in part. A full refund of an unshipped order cancels it, and its units return to
//! stock.

use domain::accounts::access::Denied;
use domain::orders::order::Change;
use domain::payments::refund::left_of;
use domain::{Caller, Money, Order, OrderId, Permission, Refund, RefundCause, Text};
use ports::{Applied, IdempotencyKey, NewRefund, PaymentRef, RefundBegun};
use thiserror::Error;

use crate::change_order::{Attempt, change_order};
use crate::{Failure, Payments, Unavailable};

/// The command to refund an order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RefundOrder {
    /// The amount; `None` for whatever is left.
    pub amount: Option<Money>,
    /// The reason, for the record.
    pub reason: Option<Text<500>>,
    pub idempotency_key: Option<IdempotencyKey>,
}

/// Why an order is not refunded. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RefundOrderRefused {
    /// No money has arrived, so there is nothing to refund.
    #[error("an unpaid order has nothing to refund")]
    NotPaid,
    /// Some of its units have left, so that it can neither be cancelled nor is it over.
    #[error("an order that is shipped in part is not refunded in full")]
    ShippedInPart,
    /// The amount is more than what is left to be refunded.
    #[error("only {left} is left to be sent back")]
    TooMuch {
        /// What is left to be refunded.
        left: Money,
    },
}

impl Payments {
    /// Refunds an order's payment, in full or in part. The decision is recorded before the provider is called; if the
    /// provider does not answer, a background job retries until it does. Returns whether this call decided it; `false`
    /// if a full refund was decided before.
    ///
    /// # Errors
    /// [`RefundOrderRefused`]; [`Failure::Denied`] also if the order was cancelled unpaid.
    pub async fn refund_order(
        &self,
        caller: &Caller,
        id: OrderId,
        command: RefundOrder,
    ) -> Result<bool, Failure<RefundOrderRefused>> {
        caller.require(Permission::RefundOrder)?;
        let command = &command;
        change_order(&*self.orders, id, |order| self.refund(caller, order, command)).await
    }

    async fn refund(
        &self,
        caller: &Caller,
        order: Order,
        command: &RefundOrder,
    ) -> Result<Attempt<bool>, Failure<RefundOrderRefused>> {
        if let Some(key) = command.idempotency_key
            && self.refunds.begun_under(order.id, key).await?.is_some()
        {
            return Ok(Attempt::Done(true));
        }
        let Some(payment) = order.state.transaction().cloned() else {
            // An order that was cancelled unpaid is in no list, and there was nothing to refund.
            let cancelled = order.is_cancelled();
            return Err(if cancelled { Denied::NotFound.into() } else { refused(RefundOrderRefused::NotPaid) });
        };
        let payment = PaymentRef { id: payment, order: order.id };
        let left = left_of(order.due(), &self.refunds_of(&payment).await?);
        let over = order.is_cancelled() || !order.is_paid();
        if over || (left == Money::ZERO && order.is_shipped()) {
            return match command.amount {
                None => Ok(Attempt::Done(false)),
                Some(_) => Err(refused(RefundOrderRefused::TooMuch { left: Money::ZERO })),
            };
        }
        let amount = command.amount.unwrap_or(left);
        if amount > left {
            return Err(refused(RefundOrderRefused::TooMuch { left }));
        }
        if amount == left && order.is_shipped_in_part() {
            return Err(refused(RefundOrderRefused::ShippedInPart));
        }
        // A full refund cancels an order that has not shipped.
        let change = if amount == left && !order.is_shipped() {
            let Ok(change) = order.clone().cancel_with_refund(self.events.meta(caller.actor())) else {
                return Ok(Attempt::Conflict);
            };
            Some(change)
        } else {
            None
        };
        match change {
            Some(change) if left == Money::ZERO => self.cancel_what_is_back(&change).await,
            change => self.begin_refund(caller, &order, &payment, amount, change, command).await,
        }
    }

    /// Cancels an order whose payment was already refunded at the provider.
    async fn cancel_what_is_back(&self, change: &Change) -> Result<Attempt<bool>, Failure<RefundOrderRefused>> {
        if self.orders.apply(change).await? == Applied::Conflict {
            return Ok(Attempt::Conflict);
        }
        match self.conclude(change.after.id).await {
            Err(Unavailable::Store(error)) => Err(error.into()),
            Ok(()) | Err(_) => Ok(Attempt::Done(true)),
        }
    }

    /// Records a refund, with the change of its order if there is one, and requests it from the provider.
    async fn begin_refund(
        &self,
        caller: &Caller,
        order: &Order,
        payment: &PaymentRef,
        amount: Money,
        change: Option<Change>,
        command: &RefundOrder,
    ) -> Result<Attempt<bool>, Failure<RefundOrderRefused>> {
        let cause = if change.is_some() { RefundCause::OrderCancelled } else { RefundCause::Admin };
        let refund = Refund { note: command.reason.clone(), ..self.new_refund(payment, cause, amount, caller.actor()) };
        let brought = order.due();
        let new = NewRefund { refund: refund.clone(), brought, idempotency_key: command.idempotency_key, change };
        match self.refunds.begin(&new).await? {
            RefundBegun::Written => self.request_refund(refund).await,
            RefundBegun::Known(_) => {}
            RefundBegun::TooMuch { left } if command.amount.is_some() => {
                return Err(refused(RefundOrderRefused::TooMuch { left }));
            }
            RefundBegun::Conflict | RefundBegun::TooMuch { .. } => return Ok(Attempt::Conflict),
        }
        Ok(Attempt::Done(true))
    }
}

const fn refused(why: RefundOrderRefused) -> Failure<RefundOrderRefused> {
    Failure::Refused(why)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{Actor, Payment, ProviderRefund, RefundState, Role};
    use ports::{
        MockOrderRepository, MockPaymentProvider, MockRefundRepository, ProviderError, RefundOutcome, RefundRequest,
    };

    use super::*;
    use crate::Ports;
    use crate::testing::{caller, customers_order, holding, meta, no_refunds, paid_order, payments_on, ports};

    fn cancelled_paid() -> Order {
        paid_order().cancel_with_refund(meta(Actor::Shop)).unwrap().after
    }

    fn cents(cents: i64) -> Money {
        Money::from_cents(cents).unwrap()
    }

    fn taken(order: &RefundRequest) -> ProviderRefund {
        ProviderRefund {
            id: "re_1".parse().unwrap(),
            amount: order.amount,
            state: RefundState::Succeeded,
            refund: Some(order.refund),
            failure: None,
        }
    }

    /// An order repository that returns an order as it was, and then as it is.
    fn turning(before: &Order, after: &Order) -> MockOrderRepository {
        let mut orders = MockOrderRepository::new();
        let (before, after) = (before.clone(), after.clone());
        orders.expect_find().times(1).returning(move |_| Ok(Some(before.clone())));
        orders.expect_find().returning(move |_| Ok(Some(after.clone())));
        orders
    }

    #[tokio::test]
    async fn a_paid_order_is_cancelled_before_its_payment_is_refunded() {
        let order = paid_order();
        let mut sequence = mockall::Sequence::new();
        let mut refunds = no_refunds();
        refunds
            .expect_begin()
            .times(1)
            .in_sequence(&mut sequence)
            .withf(|new| {
                let after = new.change.as_ref().map(|change| &change.after);
                new.refund.amount == new.brought && after.is_some_and(|order| order.owed().is_some())
            })
            .returning(|_| Ok(RefundBegun::Written));
        let mut payments = MockPaymentProvider::new();
        payments
            .expect_refund()
            .times(1)
            .in_sequence(&mut sequence)
            .returning(|order| Ok(RefundOutcome::Accepted(taken(order))));
        refunds
            .expect_apply()
            .times(1)
            .in_sequence(&mut sequence)
            .withf(|_, after, change, _| {
                let payment = change.as_ref().map(|change| change.after.state.payment());
                after.state == RefundState::Succeeded && matches!(payment, Some(Payment::Refunded { .. }))
            })
            .returning(|_, _, _, _| Ok(Applied::Written));
        let refunded = cancelled_paid().refund(crate::testing::transaction(), meta(Actor::Shop)).unwrap().after;
        let mut orders = MockOrderRepository::new();
        for now in [order.clone(), cancelled_paid(), refunded] {
            orders.expect_find().times(1).returning(move |_| Ok(Some(now.clone())));
        }
        let service = payments_on(Ports {
            orders: Arc::new(orders),
            payment_provider: Arc::new(payments),
            refunds: Arc::new(refunds),
            ..ports()
        });
        assert!(service.refund_order(&caller(Role::Admin), order.id, RefundOrder::default()).await.unwrap());
    }

    #[tokio::test]
    async fn a_partial_refund_leaves_the_order_uncancelled() {
        let order = paid_order();
        let mut refunds = no_refunds();
        refunds
            .expect_begin()
            .times(1)
            .withf(|new| new.change.is_none() && new.refund.amount.cents() == 500)
            .returning(|_| Ok(RefundBegun::Written));
        refunds
            .expect_apply()
            .times(1)
            .withf(|_, _, change, _| {
                let kind = change.as_ref().map(|change| &change.event.kind);
                matches!(kind, Some(domain::OrderEventKind::PartlyRefunded(_)))
            })
            .returning(|_, _, _, _| Ok(Applied::Written));
        let mut payments = MockPaymentProvider::new();
        payments
            .expect_refund()
            .withf(|order| order.amount.cents() == 500)
            .returning(|order| Ok(RefundOutcome::Accepted(taken(order))));
        let service = payments_on(Ports {
            orders: Arc::new(holding(&order)),
            payment_provider: Arc::new(payments),
            refunds: Arc::new(refunds),
            ..ports()
        });
        let command = RefundOrder { amount: Some(cents(500)), ..RefundOrder::default() };
        assert!(service.refund_order(&caller(Role::Admin), order.id, command).await.unwrap());
    }

    #[tokio::test]
    async fn more_than_is_left_is_not_refunded() {
        let order = paid_order();
        let total = order.item.total;
        let service =
            payments_on(Ports { orders: Arc::new(holding(&order)), refunds: Arc::new(no_refunds()), ..ports() });
        let command = RefundOrder { amount: Some(cents(total.cents() + 1)), ..RefundOrder::default() };
        let refused = service.refund_order(&caller(Role::Admin), order.id, command).await;
        assert!(
            matches!(refused, Err(Failure::Refused(RefundOrderRefused::TooMuch { left })) if left == total),
            "{refused:?}"
        );
    }

    #[tokio::test]
    async fn a_repeat_with_the_same_key_refunds_nothing() {
        let order = paid_order();
        let mut refunds = MockRefundRepository::new();
        let payment = PaymentRef { id: crate::testing::transaction(), order: order.id };
        let first = payments_on(ports()).new_refund(&payment, RefundCause::Admin, cents(500), Actor::Shop);
        refunds.expect_begun_under().returning(move |_, _| Ok(Some(first.clone())));
        let service = payments_on(Ports { orders: Arc::new(holding(&order)), refunds: Arc::new(refunds), ..ports() });
        let key = IdempotencyKey { key: ports::KeyDigest([7; 32]), fingerprint: ports::Fingerprint([7; 32]) };
        let command = RefundOrder { amount: Some(cents(500)), idempotency_key: Some(key), ..RefundOrder::default() };
        assert!(service.refund_order(&caller(Role::Admin), order.id, command).await.unwrap());
    }

    #[tokio::test]
    async fn if_the_provider_does_not_answer_the_refund_is_left_to_the_background_job() {
        let order = paid_order();
        let mut refunds = no_refunds();
        refunds.expect_begin().times(1).returning(|_| Ok(RefundBegun::Written));
        let mut payments = MockPaymentProvider::new();
        payments.expect_refund().times(1).returning(|_| Err(ProviderError::Unavailable("timeout".into())));
        let service = payments_on(Ports {
            orders: Arc::new(turning(&order, &cancelled_paid())),
            payment_provider: Arc::new(payments),
            refunds: Arc::new(refunds),
            ..ports()
        });
        assert!(service.refund_order(&caller(Role::Admin), order.id, RefundOrder::default()).await.unwrap());
    }

    #[tokio::test]
    async fn refunding_again_changes_nothing() {
        for order in
            [cancelled_paid(), cancelled_paid().refund(crate::testing::transaction(), meta(Actor::Shop)).unwrap().after]
        {
            let service =
                payments_on(Ports { orders: Arc::new(holding(&order)), refunds: Arc::new(no_refunds()), ..ports() });
            assert!(!service.refund_order(&caller(Role::Admin), order.id, RefundOrder::default()).await.unwrap());
        }
    }

    #[tokio::test]
    async fn an_unpaid_order_is_not_refunded() {
        let order = customers_order();
        let service = payments_on(Ports { orders: Arc::new(holding(&order)), ..ports() });
        let refused = service.refund_order(&caller(Role::Admin), order.id, RefundOrder::default()).await;
        assert!(matches!(refused, Err(Failure::Refused(RefundOrderRefused::NotPaid))), "{refused:?}");
    }

    #[tokio::test]
    async fn a_customer_cannot_refund_an_order() {
        let refused =
            payments_on(ports()).refund_order(&caller(Role::Customer), paid_order().id, RefundOrder::default()).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
    }
}
