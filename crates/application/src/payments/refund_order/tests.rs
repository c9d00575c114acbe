use std::slice::from_ref;
use std::sync::Arc;

use domain::{Actor, Payment, RefundState, Role};
use ports::{MockOrderRepository, MockPaymentProvider, MockRefundRepository, ProviderError};

use super::*;
use crate::Ports;
use crate::payments::books::{Books, TOTAL, cents, kept, made, opened_for, paid, refund};
use crate::testing::{
    caller, cancelled_paid, customers_order, holding, meta, no_refunds, paid_order, payments_on, ports, turning_after,
};

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
    payments.expect_refund().times(1).in_sequence(&mut sequence).returning(|order| Ok(made(order)));
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
    payments.expect_refund().withf(|order| order.amount.cents() == 500).returning(|order| Ok(made(order)));
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
    let service = payments_on(Ports { orders: Arc::new(holding(&order)), refunds: Arc::new(no_refunds()), ..ports() });
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
        orders: Arc::new(turning_after(1, &order, &cancelled_paid())),
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

/// An admin refunds so much of an order whose refunds these are, or all that is left.
async fn refunding(
    order: &Order,
    refunds: &[Refund],
    amount: Option<i64>,
) -> (Result<bool, Failure<RefundOrderRefused>>, Books) {
    let mut payments = MockPaymentProvider::new();
    payments.expect_refund().returning(|_| Err(ProviderError::Unavailable("timeout".into())));
    let (service, books) = kept(Books::of(from_ref(order), refunds), Some(opened_for(&[1])), payments);
    let reason = Some(Text::new("Scratched").unwrap());
    let command = RefundOrder { amount: amount.map(cents), reason, idempotency_key: None };
    let done = service.refund_order(&caller(Role::Admin), order.id, command).await;
    drop(service);
    (done, Arc::into_inner(books).unwrap().into_inner().unwrap())
}

#[tokio::test]
async fn a_shipped_order_is_refunded_in_full_once_and_stays_shipped() {
    let shipped = paid(1).ship(meta(Actor::Shop)).unwrap().after;
    let (done, books) = refunding(&shipped, &[], None).await;
    assert!(done.unwrap());
    let [new] = books.begun.as_slice() else { panic!("{:?}", books.begun) };
    assert_eq!((new.refund.cause, new.refund.amount.cents(), new.change.is_none()), (RefundCause::Admin, TOTAL, true));
    assert_eq!(new.refund.note, Some(Text::new("Scratched").unwrap()));
    let (done, again) = refunding(&shipped, &books.refunds, None).await;
    assert!(!done.unwrap() && again.begun.is_empty());
    let (refused, _) = refunding(&shipped, &books.refunds, Some(1)).await;
    assert!(matches!(refused, Err(Failure::Refused(RefundOrderRefused::TooMuch { left: Money::ZERO }))), "{refused:?}");
}

#[tokio::test]
async fn an_order_that_is_shipped_in_part_is_refunded_in_part_only() {
    let shipped = Order { shipped_units: 10, ..paid(1) };
    let (refused, _) = refunding(&shipped, &[], None).await;
    assert!(matches!(refused, Err(Failure::Refused(RefundOrderRefused::ShippedInPart))), "{refused:?}");
    let (done, books) = refunding(&shipped, &[], Some(TOTAL - 1)).await;
    assert!(done.unwrap());
    assert_eq!(books.begun.len(), 1);
}

#[tokio::test]
async fn an_order_whose_money_is_back_already_is_only_cancelled() {
    let elsewhere = refund(1, 1, RefundCause::Elsewhere, RefundState::Succeeded, TOTAL);
    let (done, books) = refunding(&paid(1), &[elsewhere], None).await;
    assert!(done.unwrap() && books.begun.is_empty());
    assert!(matches!(books.order(paid(1).id).state.payment(), Payment::Refunded { .. }));
}

#[tokio::test]
async fn what_another_refund_took_meanwhile_is_refused_to_an_amount_and_left_out_of_the_rest() {
    for (amount, is_refused) in [(Some(cents(500)), true), (None, false)] {
        let mut refunds = no_refunds();
        refunds.expect_begin().times(1).returning(|_| Ok(RefundBegun::TooMuch { left: cents(100) }));
        refunds.expect_begin().returning(|new| Ok(RefundBegun::Known(Box::new(new.refund.clone()))));
        let service =
            payments_on(Ports { orders: Arc::new(holding(&paid_order())), refunds: Arc::new(refunds), ..ports() });
        let command = RefundOrder { amount, ..RefundOrder::default() };
        let done = service.refund_order(&caller(Role::Admin), paid_order().id, command).await;
        let refused = matches!(done, Err(Failure::Refused(RefundOrderRefused::TooMuch { left })) if left == cents(100));
        assert_eq!((refused, matches!(done, Ok(true))), (is_refused, !is_refused), "{done:?}");
    }
}
