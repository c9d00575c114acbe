use std::sync::Arc;

use domain::Role;
use ports::{CancelOutcome, MockOrderRepository, MockPaymentAttempts, MockPaymentProvider, ProviderError};

use super::*;
use crate::Ports;
use crate::Unavailable;
use crate::testing::{caller, customers_order, intent, meta, paid_order, payments_on, ports, transaction};

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
    let mut payment_attempts = MockPaymentAttempts::new();
    payment_attempts.expect_open_for().returning(|_| Ok(None));
    payment_attempts.expect_attempts().returning(|_| Ok(0));
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
    let mut payment_attempts = MockPaymentAttempts::new();
    payment_attempts.expect_open_for().returning(|_| Ok(None));
    payment_attempts.expect_attempts().returning(|_| Ok(0));
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
    let mut orders = MockOrderRepository::new();
    let before = order.clone();
    orders.expect_find().times(3).returning(move |_| Ok(Some(before.clone())));
    orders.expect_find().returning(move |_| Ok(Some(cancelled.clone())));
    let mut payment_attempts = MockPaymentAttempts::new();
    payment_attempts.expect_open_for().returning(|_| Ok(None));
    payment_attempts.expect_attempts().returning(|_| Ok(0));
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
    let mut orders = MockOrderRepository::new();
    let unpaid = before.clone();
    orders.expect_find().times(2).returning(move |_| Ok(Some(unpaid.clone())));
    orders.expect_find().returning(move |_| Ok(Some(after.clone())));
    let mut payment_attempts = MockPaymentAttempts::new();
    payment_attempts.expect_open_for().returning(|_| Ok(None));
    payment_attempts.expect_attempts().returning(|_| Ok(1));
    let service =
        payments_on(Ports { orders: Arc::new(orders), payment_attempts: Arc::new(payment_attempts), ..ports() });
    let refused = service.open_payment(&caller(Role::Customer), pay(&before, None)).await;
    assert!(matches!(refused, Err(Failure::Refused(OpenPaymentRefused::Paid))), "{refused:?}");
}
