use std::sync::Arc;

use domain::{Actor, Charges, CheckoutId, CheckoutLine, OrderEventKind, Purchase, RefundState, Role};
use ports::{Fingerprint, KeyDigest, MockPaymentProvider, MockRefundRepository, MockReturnRepository, ProviderError};
use uuid::Uuid;

use super::*;
use crate::Ports;
use crate::testing::{
    caller, customers_order, holding, meta, no_refunds, now, orders_on, paid_order, ports, transaction,
};

fn shipped() -> Order {
    paid_order().ship(meta(Actor::Shop)).unwrap().after
}

fn asking(units: u32) -> RequestReturn {
    let units = NonZeroU32::new(units).unwrap();
    RequestReturn { reason: ReturnReason::Damaged, details: None, units, idempotency_key: None }
}

fn open_return(units: u32) -> OrderReturn {
    OrderReturn {
        id: ReturnId::new(Uuid::from_u128(70)),
        order: shipped().id,
        reason: ReturnReason::Damaged,
        details: None,
        units: NonZeroU32::new(units).unwrap(),
        requested_at: now(),
        state: ReturnState::Requested,
    }
}

fn declined() -> OrderReturn {
    open_return(10).decline(Text::new("They were used.").unwrap(), now()).unwrap().0
}

fn accepted() -> OrderReturn {
    open_return(10).accept(AcceptedReturn { refund: None, restocked: false }, now()).unwrap().0
}

/// A repository with one return, which expects nothing else.
fn with_return(asked: OrderReturn) -> MockReturnRepository {
    let mut returns = MockReturnRepository::new();
    returns.expect_find().returning(move |_| Ok(Some(asked.clone())));
    returns
}

/// A repository with one return that is open, which is accepted without a refund.
fn accepted_without_refund() -> MockReturnRepository {
    let mut returns = with_return(open_return(10));
    returns
        .expect_decide()
        .times(1)
        .withf(|decision| decision.refund.is_none())
        .returning(|_| Ok(ReturnDecided::Written));
    returns
}

fn cents(cents: i64) -> Money {
    Money::from_cents(cents).unwrap()
}

const ACCEPT: AcceptReturn = AcceptReturn { amount: None, restock: true };

/// A service on a shipped order with these returns, whose provider does not answer.
fn service(returns: MockReturnRepository, refunds: MockRefundRepository) -> Orders {
    service_on(&shipped(), returns, refunds)
}

#[tokio::test]
async fn a_customer_asks_for_a_return_of_a_shipped_order() {
    let mut returns = MockReturnRepository::new();
    returns.expect_of_order().returning(|_| Ok(vec![declined()]));
    returns
        .expect_request()
        .times(1)
        .withf(|new| {
            let requested = matches!(new.change.event.kind, OrderEventKind::ReturnRequested { .. });
            requested && new.earlier == 1 && new.asked.is_open() && new.asked.units.get() == 10
        })
        .returning(|_| Ok(ReturnRequested::Written));
    service(returns, no_refunds()).request_return(&caller(Role::Customer), shipped().id, asking(10)).await.unwrap();
}

/// A line of a checkout that has shipped: goods of the order's total, with 5.00 of freight and 19.00 of tax.
fn shipped_line() -> Order {
    let charges = Some(Charges { shipping: cents(500), tax: cents(1_900) });
    let line = Some(CheckoutLine { checkout: CheckoutId::new(Uuid::from_u128(80)), line: 1, charges });
    let mut order = shipped();
    order.item.purchase = Some(Box::new(Purchase { line, po_number: None }));
    order
}

fn service_on(order: &Order, returns: MockReturnRepository, refunds: MockRefundRepository) -> Orders {
    let mut payments = MockPaymentProvider::new();
    payments.expect_refund().returning(|_| Err(ProviderError::Unavailable("timeout".into())));
    orders_on(Ports {
        orders: Arc::new(holding(order)),
        payment_provider: Arc::new(payments),
        refunds: Arc::new(refunds),
        returns: Arc::new(returns),
        ..ports()
    })
}

#[tokio::test]
async fn a_return_may_bring_back_freight_and_tax_as_well_as_goods() {
    let order = shipped_line();
    let all = order.item.total.plus(cents(2_400)).unwrap();
    let admin = caller(Role::Admin);
    for (amount, is_too_much) in [(all, false), (all.plus(cents(1)).unwrap(), true)] {
        let mut returns = with_return(open_return(10));
        returns
            .expect_decide()
            .times(usize::from(!is_too_much))
            .withf(move |decision| decision.refund.as_ref().is_some_and(|new| new.brought == all))
            .returning(|_| Ok(ReturnDecided::Written));
        let command = AcceptReturn { amount: Some(amount), ..ACCEPT };
        let accepted =
            service_on(&order, returns, no_refunds()).accept_return(&admin, open_return(10).id, command).await;
        match accepted {
            Err(Failure::Refused(DecideReturnRefused::TooMuch { left })) => assert!(is_too_much && left == all),
            accepted => assert!(accepted.unwrap() && !is_too_much),
        }
    }
}

#[tokio::test]
async fn the_same_key_again_is_the_same_return() {
    let key = IdempotencyKey { key: KeyDigest([7; 32]), fingerprint: Fingerprint([7; 32]) };
    let mut returns = MockReturnRepository::new();
    returns.expect_requested_under().times(1).returning(|_, _| Ok(Some(open_return(10).id)));
    let command = RequestReturn { idempotency_key: Some(key), ..asking(10) };
    let again = service(returns, no_refunds()).request_return(&caller(Role::Customer), shipped().id, command).await;
    assert_eq!(again.unwrap(), open_return(10).id);
}

#[tokio::test]
async fn a_return_that_was_asked_for_meanwhile_is_read_and_decided_on_again() {
    let mut returns = MockReturnRepository::new();
    returns.expect_of_order().times(1).returning(|_| Ok(Vec::new()));
    returns.expect_of_order().returning(|_| Ok(vec![open_return(1)]));
    returns.expect_request().times(1).returning(|_| Ok(ReturnRequested::Conflict));
    let refused = service(returns, no_refunds()).request_return(&caller(Role::Customer), shipped().id, asking(1)).await;
    assert!(matches!(refused, Err(Failure::Refused(RequestReturnRefused::AlreadyOpen))), "{refused:?}");
}

#[tokio::test]
async fn nobody_returns_another_accounts_order_or_a_cancelled_one() {
    let other = Caller { account: domain::AccountId::new(Uuid::from_u128(99)), ..caller(Role::Admin) };
    let service = service(MockReturnRepository::new(), no_refunds());
    let refused = service.request_return(&other, shipped().id, asking(1)).await;
    assert!(matches!(refused, Err(Failure::Denied(Denied::NotFound))), "{refused:?}");
    let cancelled = customers_order().cancel(meta(Actor::Shop)).unwrap().after;
    let service = orders_on(Ports { orders: Arc::new(holding(&cancelled)), ..ports() });
    let refused = service.request_return(&caller(Role::Customer), cancelled.id, asking(1)).await;
    assert!(matches!(refused, Err(Failure::Denied(Denied::NotFound))), "{refused:?}");
}

#[tokio::test]
async fn an_accepted_return_refunds_what_its_units_cost_even_if_the_provider_does_not_answer_yet() {
    let mut returns = with_return(open_return(10));
    returns
        .expect_decide()
        .times(1)
        .withf(|decision| {
            let refund = decision.refund.as_ref().map(|new| &new.refund);
            let refunded = refund.is_some_and(|refund| {
                refund.amount == cents(129_990)
                    && refund.state == RefundState::Due
                    && refund.payment == transaction()
                    && refund.cause == RefundCause::Admin
            });
            let kind = matches!(
                &decision.change.event.kind,
                OrderEventKind::ReturnAccepted { refund: Some(id), amount, restocked: true, .. }
                    if *amount == cents(129_990) && Some(*id) == refund.map(|refund| refund.id)
            );
            refunded && kind && !decision.after.is_open()
        })
        .returning(|_| Ok(ReturnDecided::Written));
    assert!(
        service(returns, no_refunds()).accept_return(&caller(Role::Admin), open_return(10).id, ACCEPT).await.unwrap()
    );
}

#[tokio::test]
async fn no_more_is_refunded_than_is_left() {
    let service = service(with_return(open_return(10)), no_refunds());
    let total = shipped().item.total;
    let command = AcceptReturn { amount: Some(cents(total.cents() + 1)), ..ACCEPT };
    let refused = service.accept_return(&caller(Role::Admin), open_return(10).id, command).await;
    assert!(
        matches!(refused, Err(Failure::Refused(DecideReturnRefused::TooMuch { left })) if left == total),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_return_of_an_order_that_was_refunded_meanwhile_is_accepted_without_a_refund() {
    let refunded = shipped().refund(transaction(), meta(Actor::Shop)).unwrap().after;
    let returns = accepted_without_refund();
    let service = orders_on(Ports { orders: Arc::new(holding(&refunded)), returns: Arc::new(returns), ..ports() });
    assert!(service.accept_return(&caller(Role::Admin), open_return(10).id, ACCEPT).await.unwrap());
}

#[tokio::test]
async fn a_return_for_which_nothing_is_paid_has_no_refund() {
    let returns = accepted_without_refund();
    let command = AcceptReturn { amount: Some(Money::ZERO), ..ACCEPT };
    assert!(
        service(returns, no_refunds()).accept_return(&caller(Role::Admin), open_return(10).id, command).await.unwrap()
    );
}

#[tokio::test]
async fn a_stock_without_room_takes_no_units_back() {
    let mut returns = with_return(open_return(10));
    returns.expect_decide().times(1).returning(|_| Ok(ReturnDecided::NoRoom));
    let refused = service(returns, no_refunds()).accept_return(&caller(Role::Admin), open_return(10).id, ACCEPT).await;
    assert!(matches!(refused, Err(Failure::Refused(DecideReturnRefused::NoRoom))), "{refused:?}");
}

#[tokio::test]
async fn a_declined_return_keeps_its_answer() {
    let answer: Text<500> = Text::new("They were used.").unwrap();
    let expected = answer.clone();
    let mut returns = with_return(open_return(10));
    returns
        .expect_decide()
        .times(1)
        .withf(move |decision| {
            let kind = &decision.change.event.kind;
            let said = matches!(kind, OrderEventKind::ReturnDeclined { answer, .. } if *answer == expected);
            said && decision.refund.is_none() && !decision.after.is_open()
        })
        .returning(|_| Ok(ReturnDecided::Written));
    let service = service(returns, no_refunds());
    assert!(service.decline_return(&caller(Role::Admin), open_return(10).id, answer).await.unwrap());
}

#[tokio::test]
async fn a_decision_is_made_once() {
    let answer = || Text::new("No.").unwrap();
    let admin = caller(Role::Admin);
    let on = |asked: OrderReturn| (service(with_return(asked.clone()), no_refunds()), asked.id);
    let (service, id) = on(accepted());
    assert!(!service.accept_return(&admin, id, ACCEPT).await.unwrap());
    let refused = service.decline_return(&admin, id, answer()).await;
    assert!(matches!(refused, Err(Failure::Refused(DecideReturnRefused::Decided))), "{refused:?}");
    let (service, id) = on(declined());
    assert!(!service.decline_return(&admin, id, answer()).await.unwrap());
    let refused = service.accept_return(&admin, id, ACCEPT).await;
    assert!(matches!(refused, Err(Failure::Refused(DecideReturnRefused::Decided))), "{refused:?}");
}

#[tokio::test]
async fn a_customer_decides_no_return() {
    // No repository may be called.
    let (service, customer, id) = (orders_on(ports()), caller(Role::Customer), open_return(1).id);
    let refused = service.accept_return(&customer, id, ACCEPT).await;
    assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
    let refused = service.decline_return(&customer, id, Text::new("No.").unwrap()).await;
    assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
}

#[tokio::test]
async fn a_return_is_read_by_whoever_reads_its_order() {
    let mut returns = MockReturnRepository::new();
    returns.expect_of_order().times(2).returning(|_| Ok(vec![open_return(10)]));
    let service = service(returns, no_refunds());
    for role in [Role::Customer, Role::Admin] {
        assert_eq!(service.returns_of(&caller(role), shipped().id).await.unwrap(), [open_return(10)]);
    }
    let other = Caller { account: domain::AccountId::new(Uuid::from_u128(99)), ..caller(Role::Customer) };
    assert!(matches!(service.returns_of(&other, shipped().id).await, Err(Failure::Denied(Denied::NotFound))));
}
