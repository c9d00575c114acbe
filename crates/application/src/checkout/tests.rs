//! What is done with a checkout once it is placed.

use std::sync::Arc;

use domain::accounts::access::Denied;
use domain::orders::refusals::{CancelRefused, FreightRefused};
use domain::{
    Actor, BasisPoints, Caller, Charges, Checkout, CheckoutContact, CheckoutId, CheckoutLine, LineTax, Money, Order,
    OrderId, Purchase, Role, Terms, Text,
};
use ports::{
    Applied, MockCheckoutRepository, MockOrderRepository, MockPaymentAttempts, PaymentAttempt, StoredCheckout,
};
use uuid::Uuid;

use crate::testing::{address, caller, checkouts_on, customers_order, holding_all, meta, now, ports, transaction};
use crate::{Checkouts, Failure, Ports, SettlePaymentRefused};

fn id() -> CheckoutId {
    CheckoutId::new(Uuid::from_u128(8))
}

fn cents(cents: i64) -> Money {
    Money::from_cents(cents).unwrap()
}

/// An unpaid line, which waits for its freight without charges.
pub(crate) fn line(number: u16, charges: Option<Charges>) -> Order {
    let mut order = Order { id: OrderId::new(Uuid::from_u128(100 + u128::from(number))), ..customers_order() };
    let line = Some(CheckoutLine { checkout: id(), line: number, charges });
    order.item.purchase = Some(Box::new(Purchase { line, po_number: None }));
    order
}

pub(crate) fn cancelled(order: Order) -> Order {
    order.cancel(meta(Actor::Shop)).unwrap().after
}

pub(crate) fn paid(order: Order) -> Order {
    order.settle(transaction(), meta(Actor::Shop)).unwrap().after
}

pub(crate) fn checkout(shipping: Option<Money>, taxes: Vec<(u16, LineTax)>) -> Checkout {
    let Caller { account, email, .. } = caller(Role::Customer);
    Checkout {
        id: id(),
        number: None,
        customer: account,
        contact: CheckoutContact { name: Text::new("Nia").unwrap(), email, phone: Text::new("555 0100").unwrap() },
        address: address(),
        po_number: None,
        note: None,
        terms: Terms::Card,
        method: None,
        goods: Money::ZERO,
        shipping,
        tax: shipping,
        taxes,
        placed_at: now(),
    }
}

/// A repository that holds a checkout with these orders, and expects nothing else.
pub(crate) fn holding(checkout: &Checkout, orders: &[Order]) -> MockCheckoutRepository {
    let stored = StoredCheckout { checkout: checkout.clone(), orders: orders.to_vec() };
    let mut checkouts = MockCheckoutRepository::new();
    checkouts.expect_find().returning(move |_| Ok(Some(stored.clone())));
    checkouts
}

fn another() -> Caller {
    Caller { account: domain::AccountId::new(Uuid::from_u128(77)), ..caller(Role::Customer) }
}

#[tokio::test]
async fn a_cancelled_checkout_cancels_the_orders_that_still_stand() {
    let orders = [line(1, None), cancelled(line(2, None)), line(3, None)];
    let mut store = MockOrderRepository::new();
    store
        .expect_apply_all()
        .times(1)
        .withf(|changes, event| {
            changes.len() == 2 && changes.iter().all(|one| one.after.is_cancelled()) && event.is_none()
        })
        .returning(|_, _| Ok(Applied::Written));
    let mut payment_attempts = MockPaymentAttempts::new();
    payment_attempts.expect_undecided().returning(|_| Ok(Vec::new()));
    let ports = Ports {
        checkouts: Arc::new(holding(&checkout(None, Vec::new()), &orders)),
        orders: Arc::new(store),
        payment_attempts: Arc::new(payment_attempts),
        ..ports()
    };
    assert_eq!(checkouts_on(&ports).cancel_checkout(&caller(Role::Customer), id()).await.unwrap(), 2);
}

#[tokio::test]
async fn an_order_that_lapses_takes_what_is_unpaid_of_its_checkout_with_it() {
    // A lapsed order, what its checkout holds, how many are cancelled together, and whether that is all that lapsed.
    let (lapsed, before) = (line(1, None), cancelled(line(1, None)));
    let cases = [
        (lapsed.clone(), Some(vec![lapsed.clone(), line(2, None), cancelled(line(3, None))]), 2, true),
        // Somebody cancelled all of it after the order was read.
        (lapsed, Some(vec![before.clone()]), 0, false),
        // The customer cancelled this one line: the others stay as they are.
        (before, None, 0, false),
    ];
    for (order, of_checkout, together, is_cancelled) in cases {
        let mut store = crate::testing::holding(&order);
        store
            .expect_apply_all()
            .times(usize::from(together > 0))
            .withf(move |changes, _| changes.len() == together)
            .returning(|_, _| Ok(Applied::Written));
        let mut payment_attempts = MockPaymentAttempts::new();
        payment_attempts.expect_undecided().returning(|_| Ok(Vec::new()));
        let checkouts = of_checkout
            .map_or_else(MockCheckoutRepository::new, |orders| holding(&checkout(None, Vec::new()), &orders));
        let ports = Ports {
            checkouts: Arc::new(checkouts),
            orders: Arc::new(store),
            payment_attempts: Arc::new(payment_attempts),
            ..ports()
        };
        assert_eq!(crate::testing::orders_on(ports).cancel_lapsed(order.id).await.unwrap(), is_cancelled);
    }
}

#[tokio::test]
async fn nobody_cancels_anothers_checkout_or_one_that_is_paid() {
    let standing = [line(1, None)];
    let ports_of =
        |orders: &[Order]| Ports { checkouts: Arc::new(holding(&checkout(None, Vec::new()), orders)), ..ports() };
    let refused = checkouts_on(&ports_of(&standing)).cancel_checkout(&another(), id()).await;
    assert!(matches!(refused, Err(Failure::Denied(Denied::NotFound))), "{refused:?}");
    let paid = [paid(line(1, Some(Charges::NONE)))];
    let refused = checkouts_on(&ports_of(&paid)).cancel_checkout(&caller(Role::Customer), id()).await;
    assert!(matches!(refused, Err(Failure::Refused(CancelRefused::Paid))), "{refused:?}");
}

#[tokio::test]
async fn freight_is_shared_by_the_lines_that_stand_each_with_its_own_tax() {
    let vat = LineTax { name: Text::new("VAT").unwrap(), rate: BasisPoints::new(2_000).unwrap() };
    let orders = [line(1, None), cancelled(line(2, None)), line(3, None)];
    let mut checkouts = holding(&checkout(None, vec![(3, vat)]), &orders);
    checkouts
        .expect_set_freight()
        .times(1)
        .withf(|_, shipping, tax, changes| {
            let charges: Vec<Charges> = changes.iter().filter_map(|change| change.after.item.charges()).collect();
            let [first, third] = charges.as_slice() else { return false };
            *shipping == cents(10_000)
                && (first.shipping, third.shipping) == (cents(5_000), cents(5_000))
                && first.tax == Money::ZERO
                && third.tax == *tax
                && third.tax > Money::ZERO
        })
        .returning(|_, _, _, _| Ok(Applied::Written));
    let ports = Ports { checkouts: Arc::new(checkouts), ..ports() };
    checkouts_on(&ports).set_freight(&caller(Role::Admin), id(), cents(10_000)).await.unwrap();
}

#[tokio::test]
async fn freight_is_set_by_an_admin_and_only_where_it_is_waited_for() {
    let refused = checkouts_on(&ports()).set_freight(&caller(Role::Customer), id(), cents(10_000)).await;
    assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))), "{refused:?}");
    for (shipping, order) in [(None, cancelled(line(1, None))), (Some(cents(1)), line(1, None))] {
        let ports = Ports { checkouts: Arc::new(holding(&checkout(shipping, Vec::new()), &[order])), ..ports() };
        let refused = checkouts_on(&ports).set_freight(&caller(Role::Admin), id(), cents(10_000)).await;
        assert!(matches!(refused, Err(Failure::Refused(FreightRefused::NotWaiting))), "{refused:?}");
    }
}

/// A checkout of these orders, and the payment that the shop has opened.
fn reporting_on(orders: &[Order], opened: Option<PaymentAttempt>) -> Checkouts {
    let mut payment_attempts = MockPaymentAttempts::new();
    payment_attempts.expect_find().returning(move |id| Ok(opened.clone().filter(|opened| opened.id == *id)));
    checkouts_on(&Ports {
        checkouts: Arc::new(holding(&checkout(None, Vec::new()), orders)),
        orders: Arc::new(holding_all(orders)),
        payment_attempts: Arc::new(payment_attempts),
        ..ports()
    })
}

#[tokio::test]
async fn a_report_that_a_checkout_is_paid_is_about_the_order_that_the_payment_paid() {
    let orders = [line(1, Some(Charges::NONE)), paid(line(2, Some(Charges::NONE)))];
    let (second, total) = (orders[1].id, orders[1].item.total);
    let service = reporting_on(&orders, Some(PaymentAttempt::of_order(transaction(), second, total)));
    service.settle_checkout(&caller(Role::Customer), id(), transaction().as_str().to_owned()).await.unwrap();
    let refused = service.settle_checkout(&another(), id(), transaction().as_str().to_owned()).await;
    assert!(matches!(refused, Err(Failure::Denied(Denied::NotFound))), "{refused:?}");
}

#[tokio::test]
async fn a_report_about_an_unknown_payment_is_judged_by_an_order_that_stands() {
    let orders = [cancelled(line(1, None)), line(2, Some(Charges::NONE))];
    let service = reporting_on(&orders, None);
    let refused = service.settle_checkout(&caller(Role::Customer), id(), "pi_other".to_owned()).await;
    assert!(matches!(refused, Err(Failure::Refused(SettlePaymentRefused::Mismatch))), "{refused:?}");
}
