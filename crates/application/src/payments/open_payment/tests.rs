use std::sync::Arc;

use domain::{Charges, Role};
use ports::{CancelOutcome, MockOrderRepository, MockPaymentAttempts, MockPaymentProvider, ProviderError};

use super::*;
use crate::Ports;
use crate::Unavailable;
use crate::checkout::tests::{cancelled, checkout, holding as holding_checkout, line, paid};
use crate::testing::{
    caller, customers_order, intent, meta, paid_order, payments_on, ports, transaction, turning_after,
};

fn holding(orders: Vec<Order>) -> MockOrderRepository {
    let mut store = MockOrderRepository::new();
    let all = orders.clone();
    store.expect_find().returning(move |id| Ok(all.iter().find(|order| order.id == id).cloned()));
    store.expect_unpaid_with_total().returning(move |_, total, _| {
        let unpaid = orders.iter().filter(|order| order.state.transaction().is_none());
        Ok(unpaid.filter(|order| order.item.total == total).map(|order| order.id).collect())
    });
    store
}

/// Payment attempts without an open one, after so many that were closed.
fn none_open_after(closed: u32) -> MockPaymentAttempts {
    let mut payment_attempts = MockPaymentAttempts::new();
    payment_attempts.expect_open_for().returning(|_| Ok(None));
    payment_attempts.expect_attempts().returning(move |_| Ok(closed));
    payment_attempts
}

fn pay(order: &Order, shown_total: Option<f64>) -> OpenPayment {
    OpenPayment { payable: Some(Payable::Order(order.id)), shown_total }
}

fn opening(order: &Order) -> Arc<MockPaymentProvider> {
    let mut payments = MockPaymentProvider::new();
    let intent = intent(order, PaymentIntentState::Open);
    payments.expect_open().returning(move |_, _, amount| Ok(PaymentIntent { amount, ..intent.clone() }));
    Arc::new(payments)
}

#[tokio::test]
async fn a_payment_has_the_orders_total_and_is_its_only_open_one() {
    let order = customers_order();
    let mut payment_attempts = none_open_after(0);
    let total = order.item.total;
    payment_attempts
        .expect_attach()
        .times(1)
        .withf(move |opened, _| opened.amount == total)
        .returning(|_, _| Ok(Attached::Open));
    let service = payments_on(Ports {
        orders: Arc::new(holding(vec![order.clone()])),
        payment_attempts: Arc::new(payment_attempts),
        payment_provider: opening(&order),
        ..ports()
    });
    let secret = service.open_payment(&caller(Role::Customer), pay(&order, Some(6_499.5))).await.unwrap();
    assert_eq!(secret.0, "pi_1_secret_1");
}

#[tokio::test]
async fn an_open_payment_is_reused() {
    let order = customers_order();
    let mut payment_attempts = MockPaymentAttempts::new();
    let open = PaymentAttempt::of_order(transaction(), order.id, order.item.total);
    payment_attempts.expect_open_for().returning(move |_| Ok(Some(open.clone())));
    payment_attempts.expect_check_sooner().times(1).withf(|_, why| *why == CheckSooner::Asked).returning(|_, _| Ok(()));
    let mut payments = MockPaymentProvider::new();
    let there = intent(&order, PaymentIntentState::Open);
    payments.expect_find().times(1).returning(move |_| Ok(Some(there.clone())));
    let service = payments_on(Ports {
        orders: Arc::new(holding(vec![order.clone()])),
        payment_attempts: Arc::new(payment_attempts),
        payment_provider: Arc::new(payments),
        ..ports()
    });
    let opened = service.open_payment(&caller(Role::Customer), pay(&order, None)).await.unwrap();
    // Requested again immediately, it comes from the cache without a call to the provider.
    assert_eq!(service.open_payment(&caller(Role::Customer), pay(&order, None)).await.unwrap(), opened);
}

#[tokio::test]
async fn no_second_payment_is_opened_beside_one_unknown_to_the_provider() {
    let order = customers_order();
    let mut payment_attempts = MockPaymentAttempts::new();
    let open = PaymentAttempt::of_order(transaction(), order.id, order.item.total);
    payment_attempts.expect_open_for().returning(move |_| Ok(Some(open.clone())));
    let mut payments = MockPaymentProvider::new();
    payments.expect_find().times(1).returning(|_| Ok(None));
    let service = payments_on(Ports {
        orders: Arc::new(holding(vec![order.clone()])),
        payment_attempts: Arc::new(payment_attempts),
        payment_provider: Arc::new(payments),
        ..ports()
    });
    let refused = service.open_payment(&caller(Role::Customer), pay(&order, None)).await;
    assert!(
        matches!(refused, Err(Failure::Unavailable(Unavailable::Provider(ProviderError::Unavailable(_))))),
        "{refused:?}"
    );
}

#[tokio::test]
async fn an_account_that_opens_many_payments_is_rate_limited_and_another_is_not() {
    let orders: Vec<Order> =
        (0..40).map(|n| Order { id: OrderId::new(uuid::Uuid::from_u128(100 + n)), ..customers_order() }).collect();
    let mut payment_attempts = none_open_after(0);
    payment_attempts.expect_attach().returning(|_, _| Ok(Attached::Open));
    let mut anothers = Order { id: OrderId::new(uuid::Uuid::from_u128(99)), ..customers_order() };
    let another = Caller { account: domain::AccountId::new(uuid::Uuid::from_u128(98)), ..caller(Role::Customer) };
    anothers.customer = another.account;
    let service = payments_on(Ports {
        orders: Arc::new(holding(orders.iter().cloned().chain([anothers.clone()]).collect())),
        payment_attempts: Arc::new(payment_attempts),
        payment_provider: opening(&orders[0]),
        ..ports()
    });
    let mut refused = 0;
    for order in &orders {
        match service.open_payment(&caller(Role::Customer), pay(order, None)).await {
            Err(Failure::Refused(OpenPaymentRefused::TooMany { wait })) if !wait.is_zero() => refused += 1,
            other => assert!(other.is_ok(), "{other:?}"),
        }
    }
    assert_eq!(refused, 10);
    assert!(service.open_payment(&another, pay(&anothers, None)).await.is_ok());
}

#[tokio::test]
async fn no_payment_is_opened_for_a_wrong_total_a_paid_order_or_another_accounts_order() {
    let order = customers_order();
    let orders = Arc::new(holding(vec![order.clone()]));
    let shop_with_order = payments_on(Ports { orders, ..ports() });
    let stale = shop_with_order.open_payment(&caller(Role::Customer), pay(&order, Some(1.0))).await;
    assert!(
        matches!(stale, Err(Failure::Refused(OpenPaymentRefused::PriceChanged { total })) if total == order.item.total)
    );

    let paid = paid_order();
    let shop_with_paid = payments_on(Ports { orders: Arc::new(holding(vec![paid.clone()])), ..ports() });
    let refused = shop_with_paid.open_payment(&caller(Role::Customer), pay(&paid, None)).await;
    assert!(matches!(refused, Err(Failure::Refused(OpenPaymentRefused::Paid))));

    let mut anothers = customers_order();
    anothers.customer = domain::AccountId::new(uuid::Uuid::from_u128(999));
    let shop_with_anothers = payments_on(Ports { orders: Arc::new(holding(vec![anothers.clone()])), ..ports() });
    let refused = shop_with_anothers.open_payment(&caller(Role::Admin), pay(&anothers, None)).await;
    assert!(matches!(refused, Err(Failure::Denied(Denied::NotFound))));
}

#[tokio::test]
async fn a_total_that_matches_no_order_or_two_selects_none() {
    let one = customers_order();
    let two = Order { id: OrderId::new(uuid::Uuid::from_u128(77)), ..customers_order() };
    for (orders, shown) in [(vec![one.clone(), two], Some(6_499.5)), (vec![one.clone()], Some(1.0)), (vec![one], None)]
    {
        let service = payments_on(Ports { orders: Arc::new(holding(orders)), ..ports() });
        let command = OpenPayment { payable: None, shown_total: shown };
        let refused = service.open_payment(&caller(Role::Customer), command).await;
        assert!(matches!(refused, Err(Failure::Refused(OpenPaymentRefused::NotOneOrder))), "{refused:?}");
    }
}

#[tokio::test]
async fn a_payment_opened_while_its_order_is_cancelled_is_cancelled() {
    let order = customers_order();
    let cancelled = order.clone().cancel(meta(domain::Actor::Shop)).unwrap().after;
    let orders = turning_after(3, &order, &cancelled);
    let mut payment_attempts = none_open_after(0);
    payment_attempts.expect_attach().returning(|_, _| Ok(Attached::Refused));
    let mut payments = MockPaymentProvider::new();
    let there = intent(&order, PaymentIntentState::Open);
    payments.expect_open().returning(move |_, _, _| Ok(there.clone()));
    payments.expect_cancel().times(1).returning(|_| Ok(CancelOutcome::Cancelled));
    let service = payments_on(Ports {
        orders: Arc::new(orders),
        payment_attempts: Arc::new(payment_attempts),
        payment_provider: Arc::new(payments),
        ..ports()
    });
    let refused = service.open_payment(&caller(Role::Customer), pay(&order, None)).await;
    assert!(matches!(refused, Err(Failure::Refused(OpenPaymentRefused::Cancelled))));
}

#[tokio::test]
async fn an_order_paid_between_two_reads_gets_no_second_payment() {
    let before = customers_order();
    let after = before.clone().settle(transaction(), meta(domain::Actor::Shop)).unwrap().after;
    let orders = turning_after(2, &before, &after);
    let payment_attempts = none_open_after(1);
    let service =
        payments_on(Ports { orders: Arc::new(orders), payment_attempts: Arc::new(payment_attempts), ..ports() });
    let refused = service.open_payment(&caller(Role::Customer), pay(&before, None)).await;
    assert!(matches!(refused, Err(Failure::Refused(OpenPaymentRefused::Paid))), "{refused:?}");
}

#[tokio::test]
async fn the_only_unpaid_order_with_the_total_that_was_shown_is_paid() {
    let order = customers_order();
    let mut payment_attempts = none_open_after(0);
    payment_attempts
        .expect_attach()
        .times(1)
        .withf(move |opened, _| opened.payable == Payable::Order(customers_order().id))
        .returning(|_, _| Ok(Attached::Open));
    let service = payments_on(Ports {
        orders: Arc::new(holding(vec![order.clone()])),
        payment_attempts: Arc::new(payment_attempts),
        payment_provider: opening(&order),
        ..ports()
    });
    let command = OpenPayment { payable: None, shown_total: Some(6_499.5) };
    let secret = service.open_payment(&caller(Role::Customer), command).await.unwrap();
    assert_eq!((secret.0.as_str(), format!("{secret:?}").as_str()), ("pi_1_secret_1", "PaymentSecret(…)"));
}

#[tokio::test]
async fn an_open_payment_of_another_sum_is_stopped_before_one_of_the_right_sum_is_opened() {
    let order = customers_order();
    let outdated = PaymentAttempt::of_order("pi_0".parse().unwrap(), order.id, Money::from_cents(1).unwrap());
    let mut payment_attempts = MockPaymentAttempts::new();
    payment_attempts.expect_open_for().times(1).returning(move |_| Ok(Some(outdated.clone())));
    payment_attempts.expect_open_for().times(1).returning(|_| Ok(None));
    payment_attempts
        .expect_close()
        .times(1)
        .withf(|id, ended, _| id.as_str() == "pi_0" && *ended == Ended::Cancelled)
        .returning(|_, _, _| Ok(()));
    payment_attempts.expect_attempts().returning(|_| Ok(1));
    payment_attempts.expect_attach().times(1).returning(|_, _| Ok(Attached::Open));
    let mut payments = MockPaymentProvider::new();
    let there = intent(&order, PaymentIntentState::Open);
    payments.expect_cancel().times(1).withf(|id| id.as_str() == "pi_0").returning(|_| Ok(CancelOutcome::Cancelled));
    payments.expect_open().times(1).withf(|_, attempt, _| *attempt == 1).returning(move |_, _, _| Ok(there.clone()));
    let service = payments_on(Ports {
        orders: Arc::new(holding(vec![order.clone()])),
        payment_attempts: Arc::new(payment_attempts),
        payment_provider: Arc::new(payments),
        ..ports()
    });
    service.open_payment(&caller(Role::Customer), pay(&order, None)).await.unwrap();
}

#[tokio::test]
async fn a_checkouts_payment_is_for_what_is_unpaid_and_stops_those_of_single_lines() {
    let charged = |number| line(number, Some(Charges::NONE));
    let (first, fourth) = (charged(1), charged(4));
    let orders = [first.clone(), cancelled(charged(2)), paid(charged(3)), fourth.clone()];
    let bought = checkout(Some(Money::ZERO), Vec::new());
    let total = first.due().plus(fourth.due()).unwrap();
    let shares: Vec<PaymentShare> =
        [&first, &fourth].map(|order| PaymentShare { order: order.id, amount: order.due() }).to_vec();

    let single = PaymentAttempt::of_order("pi_0".parse().unwrap(), first.id, first.due());
    // It was closed without the provider's word that it cannot succeed any more: another attempt at the same is no reason to wait.
    let earlier = PaymentAttempt {
        id: "pi_9".parse().unwrap(),
        payable: Payable::Checkout(bought.id),
        amount: total,
        shares: shares.clone(),
    };
    let mut payment_attempts = MockPaymentAttempts::new();
    payment_attempts.expect_open_for().returning(|_| Ok(None));
    payment_attempts.expect_undecided().returning(move |order| {
        Ok(if order == single.shares[0].order { vec![earlier.clone(), single.clone()] } else { Vec::new() })
    });
    payment_attempts.expect_close().times(1).withf(|id, _, _| id.as_str() == "pi_0").returning(|_, _, _| Ok(()));
    payment_attempts.expect_attempts().returning(|_| Ok(1));
    payment_attempts
        .expect_attach()
        .times(1)
        .withf(move |opened, _| opened.shares == shares && opened.amount == total)
        .returning(|_, _| Ok(Attached::Open));
    let mut payments = MockPaymentProvider::new();
    let there = intent(&first, PaymentIntentState::Open);
    payments.expect_cancel().times(1).withf(|id| id.as_str() == "pi_0").returning(|_| Ok(CancelOutcome::Cancelled));
    payments
        .expect_open()
        .times(1)
        .withf(move |payable, _, amount| *payable == Payable::Checkout(bought.id) && *amount == total)
        .returning(move |_, _, _| Ok(there.clone()));
    let service = payments_on(Ports {
        checkouts: Arc::new(holding_checkout(&bought, &orders)),
        payment_attempts: Arc::new(payment_attempts),
        payment_provider: Arc::new(payments),
        ..ports()
    });
    let command = OpenPayment { payable: Some(Payable::Checkout(bought.id)), shown_total: None };
    service.open_payment(&caller(Role::Customer), command).await.unwrap();
}

#[tokio::test]
async fn nothing_is_opened_for_a_checkout_that_is_paid_cancelled_anothers_or_waits_for_its_freight() {
    let bought = checkout(None, Vec::new());
    let charged = |number| line(number, Some(Charges::NONE));
    let refused = async |orders: &[Order], caller: Caller| {
        let service = payments_on(Ports { checkouts: Arc::new(holding_checkout(&bought, orders)), ..ports() });
        let command = OpenPayment { payable: Some(Payable::Checkout(bought.id)), shown_total: None };
        service.open_payment(&caller, command).await.unwrap_err()
    };
    for (orders, why) in [
        (vec![paid(charged(1)), cancelled(charged(2))], OpenPaymentRefused::Paid),
        (vec![cancelled(charged(1)), cancelled(charged(2))], OpenPaymentRefused::Cancelled),
        (vec![charged(1), line(2, None)], OpenPaymentRefused::AwaitsFreight),
    ] {
        let failure = refused(&orders, caller(Role::Customer)).await;
        assert!(matches!(failure, Failure::Refused(refused) if refused == why), "{failure:?} instead of {why:?}");
    }
    let another = Caller { account: domain::AccountId::new(uuid::Uuid::from_u128(98)), ..caller(Role::Customer) };
    let failure = refused(&[charged(1)], another).await;
    assert!(matches!(failure, Failure::Denied(Denied::NotFound)), "{failure:?}");
}
