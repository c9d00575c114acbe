use uuid::Uuid;

use super::*;
use crate::orders::order::tests::{contact, item};
use crate::{AccountId, Actor, EventId, TransactionId};

const DAY: i64 = 86_400;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn meta(second: i64) -> EventMeta {
    EventMeta { event: EventId::new(Uuid::from_u128(9)), by: Actor::Shop, at: at(second) }
}

fn transaction() -> TransactionId {
    "pi_1".parse().unwrap()
}

/// An order of 60 units at $2.50.
fn placed() -> Order {
    let customer = AccountId::new(Uuid::from_u128(3));
    Order::fresh(OrderId::new(Uuid::from_u128(2)), customer, contact(), item(250, 60), at(0))
}

fn shipped_and_paid() -> Order {
    placed().settle(transaction(), meta(1)).unwrap().after.ship(meta(2)).unwrap().after
}

fn asked(units: u32) -> OrderReturn {
    OrderReturn {
        id: ReturnId::new(Uuid::from_u128(4)),
        order: placed().id,
        reason: ReturnReason::Damaged,
        details: None,
        units: NonZeroU32::new(units).unwrap(),
        requested_at: at(3),
        state: ReturnState::Requested,
    }
}

fn accepted(units: u32) -> OrderReturn {
    let outcome = AcceptedReturn { refund: None, restocked: true };
    asked(units).accept(outcome, at(4)).unwrap().0
}

fn declined(units: u32) -> OrderReturn {
    asked(units).decline(Text::new("They were used.").unwrap(), at(4)).unwrap().0
}

fn requested(order: Order, units: u32, earlier: &[OrderReturn], second: i64) -> Result<Change, RequestReturnRefused> {
    let left = order.item.total;
    order.request_return(&asked(units), earlier, left, meta(second))
}

#[test]
fn a_shipped_and_paid_order_takes_a_return_and_stays_as_it_is() {
    let order = shipped_and_paid();
    let change = requested(order.clone(), 60, &[], 3).unwrap();
    assert_eq!((&change.before, &change.after), (&order.state, &order));
    assert_eq!(change.event.kind, asked(60).requested());
}

#[test]
fn an_order_that_is_not_shipped_or_not_paid_or_refunded_takes_none() {
    let on_account = placed().ship(meta(2)).unwrap().after;
    let refunded = shipped_and_paid().refund(transaction(), meta(3)).unwrap().after;
    for (order, refused) in [
        (placed(), RequestReturnRefused::NotShipped),
        (placed().settle(transaction(), meta(1)).unwrap().after, RequestReturnRefused::NotShipped),
        (placed().cancel(meta(1)).unwrap().after, RequestReturnRefused::NotShipped),
        (on_account, RequestReturnRefused::NotPaid),
        (refunded, RequestReturnRefused::Refunded),
    ] {
        assert_eq!(order.returnable_until(), None);
        assert_eq!(requested(order, 1, &[], 4).unwrap_err(), refused);
    }
    let all_on_its_way = shipped_and_paid().request_return(&asked(1), &[], Money::ZERO, meta(4));
    assert_eq!(all_on_its_way.unwrap_err(), RequestReturnRefused::Refunded);
}

#[test]
fn a_return_can_be_requested_for_thirty_days_after_shipping() {
    let until = 2 + 30 * DAY;
    assert_eq!(shipped_and_paid().returnable_until(), Some(at(until)));
    assert!(requested(shipped_and_paid(), 1, &[], until).is_ok());
    let refused = requested(shipped_and_paid(), 1, &[], until + 1).unwrap_err();
    assert_eq!(refused, RequestReturnRefused::TooLate { until: at(until) });
}

#[test]
fn an_order_has_one_open_return() {
    let refused = requested(shipped_and_paid(), 1, &[asked(1)], 5).unwrap_err();
    assert_eq!(refused, RequestReturnRefused::AlreadyOpen);
    assert!(requested(shipped_and_paid(), 1, &[declined(60)], 5).is_ok());
}

#[test]
fn no_more_units_are_returned_than_were_ordered() {
    assert_eq!(requested(shipped_and_paid(), 61, &[], 5).unwrap_err(), RequestReturnRefused::TooMany { left: 60 });
    let earlier = [accepted(40), declined(60)];
    assert!(requested(shipped_and_paid(), 20, &earlier, 5).is_ok());
    assert_eq!(requested(shipped_and_paid(), 21, &earlier, 5).unwrap_err(), RequestReturnRefused::TooMany { left: 20 });
}

#[test]
fn a_return_is_decided_once() {
    let outcome = AcceptedReturn { refund: None, restocked: false };
    let answer = || Text::new("They were used.").unwrap();
    for decided in [accepted(1), declined(1)] {
        assert_eq!(decided.clone().accept(outcome, at(9)), Err(ReturnDecided));
        assert_eq!(decided.decline(answer(), at(9)), Err(ReturnDecided));
    }
}

#[test]
fn a_return_is_worth_what_its_units_cost_and_no_more_than_is_left() {
    let left = |dollars| Money::from_dollars(dollars).unwrap();
    assert_eq!(asked(10).worth(&placed(), left(150.0)), left(25.0));
    assert_eq!(asked(10).worth(&placed(), left(20.0)), left(20.0));
}

#[test]
fn a_timeline_with_returns_is_replayed() {
    let order = placed();
    let paid = order.clone().settle(transaction(), meta(1)).unwrap();
    let shipped = paid.after.clone().ship(meta(2)).unwrap();
    let asked_for = requested(shipped.after.clone(), 10, &[], 3).unwrap();
    let (_, kind) = asked(10).decline(Text::new("They were used.").unwrap(), at(4)).unwrap();
    let answered = asked_for.after.clone().note(kind, meta(4)).unwrap();
    let placed = order.placed(EventId::new(Uuid::from_u128(9)), Actor::Shop);
    let timeline = [placed, paid.event, shipped.event, asked_for.event, answered.event];
    assert_eq!(Order::replay(&timeline), Ok(shipped.after));
}

#[test]
fn a_return_refunds_what_was_decided_or_nothing() {
    let refund = (RefundId::new(Uuid::from_u128(7)), Money::from_dollars(25.0).unwrap());
    let paid_back = AcceptedReturn { refund: Some(refund), restocked: true };
    assert_eq!((paid_back.amount(), AcceptedReturn { refund: None, ..paid_back }.amount()), (refund.1, Money::ZERO));
    let (accepted, kind) = asked(10).accept(paid_back, at(4)).unwrap();
    assert_eq!(accepted.state, ReturnState::Accepted { outcome: paid_back, at: at(4) });
    let (id, units) = (asked(10).id, asked(10).units);
    let expected =
        OrderEventKind::ReturnAccepted { id, units, amount: refund.1, refund: Some(refund.0), restocked: true };
    assert_eq!(kind, expected);
}
