//! Shipping an order.

use domain::accounts::access::Denied;
use domain::orders::refusals::ShipRefused;
use domain::payments::refund::Withheld;
use domain::{Caller, Order, OrderId, Permission};
use ports::PaymentRef;

use crate::change_order::{Attempt, change_order};
use crate::{Failure, Orders};

impl Orders {
    /// Ships what is left of an order; an unpaid one on account. Before a paid order is shipped, the provider is asked whether its
    /// money is still there: shipped goods cannot be called back. Returns whether this call did it; `false` if it was
    /// shipped before.
    ///
    /// # Errors
    /// [`Withheld`]; [`Failure::Unavailable`] if the provider does not confirm that the money is still there.
    pub async fn ship_order(&self, caller: &Caller, id: OrderId) -> Result<bool, Failure<Withheld>> {
        caller.require(Permission::ShipOrder)?;
        change_order(&*self.orders, id, |order| async move {
            let change = match order.clone().ship(self.events.meta(caller.actor())) {
                Ok(change) => change,
                Err(ShipRefused::Shipped) => return Ok(Attempt::Done(false)),
                Err(ShipRefused::Cancelled) => return Err(Denied::NotFound.into()),
            };
            self.check_payment(&order).await?;
            Ok(Attempt::of(self.orders.apply(&change).await?, true))
        })
        .await
    }

    pub(super) async fn check_payment(&self, order: &Order) -> Result<(), Failure<Withheld>> {
        // What is shipped on account is billed at once, and a bill is not changed.
        if order.item.charges().is_none() {
            return Err(Failure::Refused(Withheld::AwaitsFreight));
        }
        let Some(transaction) = order.state.paid_by() else { return Ok(()) };
        let payment = PaymentRef { id: transaction.clone(), order: order.id };
        match self.payments.review_payment(&payment).await?.withheld(order) {
            Some(withheld) => Err(Failure::Refused(withheld)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{
        CheckoutId, CheckoutLine, Dispute, DisputeState, Money, OrderEventKind, ProviderRefund, Purchase, RefundState,
        Role,
    };
    use ports::{
        Applied, MockOrderRepository, MockPaymentProvider, MockRefundRepository, PaymentIntent, PaymentIntentState,
        ProviderError, RefundBegun,
    };

    use super::*;
    use crate::Ports;
    use crate::Unavailable;
    use crate::testing::{
        caller, customers_order, holding, intent, meta, no_refunds, opened, orders_on, paid_order, ports,
    };

    fn saying(intent: PaymentIntent) -> MockPaymentProvider {
        let mut payments = MockPaymentProvider::new();
        payments.expect_find().times(1).returning(move |_| Ok(Some(intent.clone())));
        payments
    }

    #[tokio::test]
    async fn an_order_whose_freight_is_not_known_is_not_shipped() {
        let line = CheckoutLine { checkout: CheckoutId::new(uuid::Uuid::from_u128(1)), line: 1, charges: None };
        let order = customers_order().bought(Purchase { line: Some(line), po_number: None });
        let service = orders_on(Ports { orders: Arc::new(holding(&order)), ..ports() });
        let refused = service.ship_order(&caller(Role::Admin), order.id).await;
        assert!(matches!(refused, Err(Failure::Refused(Withheld::AwaitsFreight))), "{refused:?}");
    }

    #[tokio::test]
    async fn only_an_admin_ships_an_order() {
        let refused = orders_on(ports()).ship_order(&caller(Role::Customer), customers_order().id).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
    }

    #[tokio::test]
    async fn the_timeline_records_whether_an_order_was_shipped_on_account() {
        for (order, expected) in [(customers_order(), true), (paid_order(), false)] {
            let id = order.id;
            let mut orders = holding(&order);
            orders
                .expect_apply()
                .times(1)
                .withf(move |change| change.event.kind == OrderEventKind::Shipped { on_account: expected })
                .returning(|_| Ok(Applied::Written));
            let service = if expected {
                orders_on(Ports { orders: Arc::new(orders), ..ports() })
            } else {
                let payments = saying(intent(&paid_order(), PaymentIntentState::Succeeded));
                orders_on(Ports {
                    orders: Arc::new(orders),
                    payment_attempts: Arc::new(opened()),
                    payment_provider: Arc::new(payments),
                    refunds: Arc::new(no_refunds()),
                    ..ports()
                })
            };
            assert!(service.ship_order(&caller(Role::Admin), id).await.unwrap());
        }
    }

    #[tokio::test]
    async fn a_paid_order_is_not_shipped_while_the_provider_is_unavailable() {
        let order = paid_order();
        for unsure in [Ok(None), Err(())] {
            let mut payments = MockPaymentProvider::new();
            payments
                .expect_find()
                .returning(move |_| unsure.clone().map_err(|()| ProviderError::Unavailable("timeout".into())));
            let service = orders_on(Ports {
                orders: Arc::new(holding(&order)),
                payment_attempts: Arc::new(opened()),
                payment_provider: Arc::new(payments),
                ..ports()
            });
            let refused = service.ship_order(&caller(Role::Admin), order.id).await;
            assert!(
                matches!(refused, Err(Failure::Unavailable(Unavailable::Provider(ProviderError::Unavailable(_))))),
                "{refused:?}"
            );
        }
    }

    #[tokio::test]
    async fn a_disputed_order_is_not_shipped() {
        let order = paid_order();
        let dispute =
            Dispute { id: "dp_1".parse().unwrap(), amount: order.item.total, state: DisputeState::Open, reason: None };
        let mut payments = saying(PaymentIntent { disputed: true, ..intent(&order, PaymentIntentState::Succeeded) });
        let reported = dispute.clone();
        payments.expect_disputes_of().times(1).returning(move |_| Ok(vec![reported.clone()]));
        let mut refunds = MockRefundRepository::new();
        refunds.expect_of_payment().returning(|_| Ok(Vec::new()));
        refunds.expect_disputes_of().times(2).returning(|_| Ok(Vec::new()));
        refunds
            .expect_note_dispute()
            .times(1)
            .withf(|_, _, _, change, _| {
                let kind = change.as_ref().map(|change| &change.event.kind);
                matches!(kind, Some(OrderEventKind::Disputed { .. }))
            })
            .returning(|_, _, _, _, _| Ok(Applied::Written));
        refunds.expect_disputes_of().returning(move |_| Ok(vec![dispute.clone()]));
        let service = orders_on(Ports {
            orders: Arc::new(holding(&order)),
            payment_attempts: Arc::new(opened()),
            payment_provider: Arc::new(payments),
            refunds: Arc::new(refunds),
            ..ports()
        });
        let refused = service.ship_order(&caller(Role::Admin), order.id).await;
        assert!(matches!(refused, Err(Failure::Refused(Withheld::Disputed))), "{refused:?}");
    }

    #[tokio::test]
    async fn an_order_refunded_at_the_provider_is_not_shipped_and_the_refund_is_recorded() {
        let order = paid_order();
        let total = order.item.total;
        let mut payments = saying(PaymentIntent { refunded: total, ..intent(&order, PaymentIntentState::Succeeded) });
        payments.expect_refunds_of().times(1).returning(move |_| {
            Ok(vec![ProviderRefund {
                id: "re_1".parse().unwrap(),
                amount: total,
                state: RefundState::Succeeded,
                refund: None,
                failure: None,
            }])
        });
        let adopted = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        let mut refunds = MockRefundRepository::new();
        let stored = Arc::clone(&adopted);
        refunds.expect_of_payment().returning(move |_| Ok(stored.lock().unwrap().clone()));
        refunds.expect_disputes_of().returning(|_| Ok(Vec::new()));
        refunds.expect_begin().times(1).returning(move |new| {
            adopted.lock().unwrap().push(new.refund.clone());
            Ok(RefundBegun::Written)
        });
        let service = orders_on(Ports {
            orders: Arc::new(holding(&order)),
            payment_attempts: Arc::new(opened()),
            payment_provider: Arc::new(payments),
            refunds: Arc::new(refunds),
            ..ports()
        });
        let refused = service.ship_order(&caller(Role::Admin), order.id).await;
        assert!(matches!(refused, Err(Failure::Refused(Withheld::RefundedElsewhere))), "{refused:?}");
    }

    #[tokio::test]
    async fn an_order_whose_payment_changed_at_the_provider_is_not_shipped() {
        let order = paid_order();
        let sound = intent(&order, PaymentIntentState::Succeeded);
        let less = PaymentIntent { received: Money::from_cents(1).unwrap(), ..sound.clone() };
        for changed in [PaymentIntent { state: PaymentIntentState::Cancelled, ..sound }, less] {
            let service = orders_on(Ports {
                orders: Arc::new(holding(&order)),
                payment_attempts: Arc::new(opened()),
                payment_provider: Arc::new(saying(changed)),
                refunds: Arc::new(no_refunds()),
                ..ports()
            });
            let refused = service.ship_order(&caller(Role::Admin), order.id).await;
            assert!(matches!(refused, Err(Failure::Refused(Withheld::Disagreement))), "{refused:?}");
        }
    }

    #[tokio::test]
    async fn shipping_again_changes_nothing() {
        let shipped = paid_order().ship(meta(domain::Actor::Shop)).unwrap().after;
        let id = shipped.id;
        let service = orders_on(Ports { orders: Arc::new(holding(&shipped)), ..ports() });
        assert!(!service.ship_order(&caller(Role::Admin), id).await.unwrap());
    }

    #[tokio::test]
    async fn a_concurrent_change_is_read_and_decided_on_again() {
        let mut orders = MockOrderRepository::new();
        let cancelled = customers_order().cancel(meta(domain::Actor::Shop)).unwrap().after;
        orders.expect_find().times(1).returning(|_| Ok(Some(customers_order())));
        orders.expect_apply().times(1).returning(|_| Ok(Applied::Conflict));
        orders.expect_find().returning(move |_| Ok(Some(cancelled.clone())));
        let service = orders_on(Ports { orders: Arc::new(orders), ..ports() });
        let refused = service.ship_order(&caller(Role::Admin), customers_order().id).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::NotFound))));
    }
}
