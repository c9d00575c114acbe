//! What becomes of a payment's refunds and of all orders that it paid, when the provider says this or that.

use std::slice::from_ref;

use domain::{Order, Payment};
use ports::{MockPaymentProvider, PaymentIntent, PaymentIntentState, ProviderError};

use super::*;
use crate::payments::books::{
    Books, TOTAL, cancelled, cents, kept, made, opened_for, owed, paid, refund, refunded, report, sent_as, unpaid,
};
use crate::testing::intent;

/// A provider that reports these refunds, and takes no other call.
fn reporting(refunds: Vec<ProviderRefund>) -> MockPaymentProvider {
    let mut provider = MockPaymentProvider::new();
    provider.expect_refunds_of().returning(move |_| Ok(refunds.clone()));
    provider
}

/// A provider that makes each refund of this amount under this attempt at once.
fn sending(amount: i64, attempt: u32) -> MockPaymentProvider {
    let mut provider = MockPaymentProvider::new();
    provider
        .expect_refund()
        .times(1)
        .withf(move |asked| (asked.amount.cents(), asked.attempt) == (amount, attempt))
        .returning(|asked| Ok(made(asked)));
    provider
}

/// A payment of which this much has arrived.
fn received(amount: i64) -> PaymentIntent {
    PaymentIntent { received: cents(amount), ..intent(&paid(1), PaymentIntentState::Succeeded) }
}

/// A dashboard's refund that is done.
fn elsewhere(order: u128, amount: i64) -> Refund {
    sent_as(refund(order, 9, RefundCause::Elsewhere, RefundState::Succeeded, amount), "re_dashboard")
}

fn due(order: u128, cause: RefundCause, amount: i64) -> Refund {
    refund(order, 1, cause, RefundState::Due, amount)
}

#[tokio::test]
async fn a_refund_of_which_the_provider_has_no_news_counts_for_nothing() {
    let known = sent_as(refund(1, 1, RefundCause::Admin, RefundState::Succeeded, 100), "re_1");
    let provider = reporting(vec![report("re_1", Some(&known), RefundState::Succeeded, 100)]);
    let (service, books) = kept(Books::of(&[paid(1)], &[known]), None, provider);
    assert_eq!(service.pay_back().await.unwrap(), PaidBack::default());
    assert!(books.lock().unwrap().events.is_empty());
}

#[tokio::test]
async fn a_refund_of_the_shops_own_that_failed_is_an_admins_matter_and_is_not_owed_a_second_time() {
    let failed = refund(1, 1, RefundCause::Late, RefundState::Failed, 500);
    let (service, books) = kept(Books::of(&[cancelled(1)], &[failed]), None, MockPaymentProvider::new());
    assert_eq!(service.pay_back().await.unwrap(), PaidBack { failed: 1, ..PaidBack::default() });
    assert!(books.lock().unwrap().begun.is_empty());
}

#[tokio::test]
async fn money_that_comes_back_from_the_dashboard_is_owed_beside_what_went_otherwise_and_once() {
    let went = sent_as(refund(1, 1, RefundCause::Late, RefundState::Succeeded, 100), "re_0");
    let failed = Refund { state: RefundState::Failed, ..elsewhere(1, 500) };
    let books = Books::of(&[cancelled(1)], &[went, failed.clone()]);
    let (service, books) = kept(books, None, MockPaymentProvider::new());
    for _ in 0..2 {
        service.advance_refund(failed.clone()).await.unwrap();
    }
    let books = books.lock().unwrap();
    let [again] = books.begun.as_slice() else { panic!("{:?}", books.begun) };
    assert_eq!(
        (again.refund.cause, again.refund.amount, again.brought),
        (RefundCause::Returned, cents(500), cents(600))
    );
}

#[tokio::test]
async fn a_dashboards_refund_of_a_whole_checkout_is_one_of_each_of_its_orders() {
    let made = Refund { state: RefundState::Pending, ..elsewhere(1, 2 * TOTAL) };
    let provider = reporting(vec![report("re_dashboard", None, RefundState::Succeeded, 2 * TOTAL)]);
    let books = Books::of(&[owed(1), owed(2)], from_ref(&made));
    let (service, books) = kept(books, Some(opened_for(&[1, 2])), provider);
    service.advance_refund(made).await.unwrap();
    for order in &books.lock().unwrap().orders {
        assert!(matches!(order.state.payment(), Payment::Refunded { .. }), "{order:?}");
    }
}

/// The orders of a checkout whose refund in the dashboard fails after all, and what is recorded then.
async fn when_the_dashboards_refund_fails(second: Order, others: &[Refund]) -> Books {
    let made = elsewhere(1, 2 * TOTAL);
    let provider = reporting(vec![report("re_dashboard", None, RefundState::Failed, 2 * TOTAL)]);
    let refunds: Vec<Refund> = [&made].into_iter().chain(others).cloned().collect();
    let books = Books::of(&[refunded(1), second], &refunds);
    let (service, books) = kept(books, Some(opened_for(&[1, 2])), provider);
    service.advance_refund(made).await.unwrap();
    drop(service);
    std::sync::Arc::into_inner(books).unwrap().into_inner().unwrap()
}

#[tokio::test]
async fn a_dashboards_refund_that_fails_is_owed_again_to_every_order_that_it_had_refunded() {
    let books = when_the_dashboards_refund_fails(refunded(2), &[]).await;
    let again: Vec<_> = books.begun.iter().map(|new| (new.refund.order, new.refund.cause, new.refund.amount)).collect();
    let whole = |n| (unpaid(n).id, RefundCause::OrderCancelled, cents(TOTAL));
    assert_eq!(again, [whole(1), whole(2)]);
    assert!(books.orders.iter().all(|order| order.owed().is_some()), "{:?}", books.orders);
}

#[tokio::test]
async fn an_order_that_was_refunded_by_itself_or_not_at_all_is_owed_nothing_more() {
    let own = sent_as(refund(2, 1, RefundCause::OrderCancelled, RefundState::Succeeded, TOTAL), "re_2");
    for (second, others) in [(refunded(2), vec![own]), (paid(2), Vec::new())] {
        let books = when_the_dashboards_refund_fails(second.clone(), &others).await;
        assert_eq!(books.order(second.id), second);
        let of_second = |order: &domain::OrderId| *order == second.id;
        assert!(!books.events.iter().any(|(order, _)| of_second(order)), "{:?}", books.events);
        assert!(!books.begun.iter().any(|new| of_second(&new.refund.order)), "{:?}", books.begun);
    }
}

#[tokio::test]
async fn a_refund_whose_answer_was_lost_is_found_at_the_provider_and_not_sent_again() {
    let lost = Refund { tries: 1, ..due(1, RefundCause::OrderCancelled, TOTAL) };
    let another = sent_as(refund(1, 2, RefundCause::Admin, RefundState::Succeeded, 100), "re_7");
    let provider = reporting(vec![
        report("re_7", Some(&another), RefundState::Succeeded, 100),
        report("re_1", Some(&lost), RefundState::Succeeded, TOTAL),
    ]);
    let (service, books) = kept(Books::of(&[owed(1)], &[another, lost.clone()]), Some(opened_for(&[1])), provider);
    let found = service.advance_refund(lost).await.unwrap();
    assert_eq!((found.state, found.provider_id), (RefundState::Succeeded, Some("re_1".parse().unwrap())));
    assert!(matches!(books.lock().unwrap().order(unpaid(1).id).state.payment(), Payment::Refunded { .. }));
}

#[tokio::test]
async fn the_dashboards_refund_of_the_same_amount_is_not_taken_for_one_that_is_checked() {
    let checked = refund(1, 1, RefundCause::Admin, RefundState::Pending, 100);
    let provider = reporting(vec![report("re_dashboard", None, RefundState::Succeeded, 100)]);
    let (service, _) = kept(Books::of(&[paid(1)], &[elsewhere(1, 100), checked.clone()]), None, provider);
    assert_eq!(service.advance_refund(checked).await.unwrap().state, RefundState::Pending);
}

/// A provider that refuses every refund, and knows of no other.
fn refusing() -> MockPaymentProvider {
    let mut provider = reporting(Vec::new());
    provider.expect_refund().returning(|_| Ok(RefundOutcome::Refused(domain::Text::new("balance").unwrap())));
    provider.expect_find().returning(|_| Ok(Some(intent(&paid(1), PaymentIntentState::Succeeded))));
    provider
}

#[tokio::test]
async fn the_wait_after_a_refusal_doubles_and_the_tenth_is_the_last() {
    let refused = |tries| Refund { tries, ..due(1, RefundCause::OrderCancelled, TOTAL) };
    let (service, books) = kept(Books::of(&[owed(1)], &[refused(2)]), Some(opened_for(&[1])), refusing());
    let failure = service.advance_refund(refused(2)).await.unwrap_err();
    assert!(matches!(failure, Failure::Refused(PayBackRefused::Refused)), "{failure:?}");
    {
        let books = books.lock().unwrap();
        assert_eq!((books.waits.as_slice(), books.refunds[0].attempt), (&[Duration::from_mins(8)][..], 2));
        assert!(books.events.is_empty(), "{:?}", books.events);
    }
    let (service, books) = kept(Books::of(&[owed(1)], &[refused(9)]), Some(opened_for(&[1])), refusing());
    assert_eq!(service.pay_back().await.unwrap(), PaidBack { failed: 1, ..PaidBack::default() });
    assert_eq!(books.lock().unwrap().refunds[0].state, RefundState::Failed);
}

#[tokio::test]
async fn a_refusal_that_another_copy_has_noted_counts_once() {
    let refused = due(1, RefundCause::OrderCancelled, TOTAL);
    let mut books = Books::of(&[owed(1)], from_ref(&refused));
    books.meddling = Some(|books| books.refunds[0].attempt = 2);
    let (service, books) = kept(books, Some(opened_for(&[1])), refusing());
    service.advance_refund(refused).await.unwrap_err();
    assert_eq!(books.lock().unwrap().refunds[0].attempt, 2);
}

#[tokio::test]
async fn only_what_was_not_refunded_in_the_dashboard_is_sent() {
    let cases = [
        (due(1, RefundCause::OrderCancelled, TOTAL), owed(1), TOTAL - 100, 2),
        (due(1, RefundCause::Admin, 500), paid(1), 500, 1),
        (due(1, RefundCause::Admin, TOTAL - 100), paid(1), TOTAL - 100, 1),
    ];
    for (due, order, amount, attempt) in cases {
        let books = Books::of(&[order], &[elsewhere(1, 100), due.clone()]);
        let (service, _) = kept(books, Some(opened_for(&[1])), sending(amount, attempt));
        assert_eq!(service.advance_refund(due).await.unwrap().state, RefundState::Succeeded);
    }
}

#[tokio::test]
async fn a_refund_that_another_copy_has_cut_is_not_cut_again() {
    let due = due(1, RefundCause::OrderCancelled, TOTAL);
    let mut books = Books::of(&[owed(1)], &[due.clone(), elsewhere(1, 100)]);
    books.meddling = Some(|books| {
        let cut = books.refunds[0].cut_to(cents(TOTAL - 100), books.refunds[0].changed_at);
        books.refunds[0] = cut;
    });
    let (service, _) = kept(books, Some(opened_for(&[1])), sending(TOTAL - 100, 2));
    service.advance_refund(due).await.unwrap();
}

#[tokio::test]
async fn what_settled_no_order_is_cut_by_what_the_payment_brought_for_it() {
    let knowing = |brought, mut provider: MockPaymentProvider| {
        provider.expect_find().returning(move |_| Ok(Some(received(brought))));
        provider
    };
    // A payment of one order brought more than the order costs, and a little more than was to go back.
    let late = due(1, RefundCause::Late, TOTAL + 450);
    let books = Books::of(&[cancelled(1)], &[elsewhere(1, 100), late.clone()]);
    let (service, _) = kept(books, Some(opened_for(&[1])), knowing(TOTAL + 500, sending(TOTAL + 400, 2)));
    service.advance_refund(late).await.unwrap();
    // Of a checkout's payment the dashboard refunded the first order and 50 cents of the second.
    let late = due(2, RefundCause::Late, TOTAL);
    let books = Books::of(&[owed(1), cancelled(2)], &[elsewhere(1, TOTAL + 50), late.clone()]);
    let (service, _) = kept(books, Some(opened_for(&[1, 2])), sending(TOTAL - 50, 2));
    service.advance_refund(late).await.unwrap();
    // What matches nothing is all that the payment brought, whichever order it is booked on.
    let mismatch = due(1, RefundCause::Mismatch, 2 * TOTAL);
    let books = Books::of(&[cancelled(1), cancelled(2)], &[elsewhere(2, 100), mismatch.clone()]);
    let provider = knowing(2 * TOTAL, sending(2 * TOTAL - 100, 2));
    let (service, books) = kept(books, Some(opened_for(&[1, 2])), provider);
    service.advance_refund(mismatch).await.unwrap();
    assert_eq!(books.lock().unwrap().orders, [cancelled(1), cancelled(2)], "it was no order's money");
    assert!(books.lock().unwrap().events.is_empty());
}

#[tokio::test]
async fn a_refund_of_which_the_dashboard_left_nothing_is_closed_without_a_call() {
    let due = due(1, RefundCause::Admin, 500);
    let books = Books::of(&[refunded(1)], &[elsewhere(1, TOTAL), due.clone()]);
    let (service, books) = kept(books, Some(opened_for(&[1])), MockPaymentProvider::new());
    let closed = service.advance_refund(due).await.unwrap();
    assert_eq!((closed.state, closed.amount), (RefundState::Recorded, Money::ZERO));
    assert!(books.lock().unwrap().events.is_empty(), "nothing went back");
}

#[tokio::test]
async fn a_refund_waits_if_the_provider_is_away_and_nothing_is_owed_twice_meanwhile() {
    let due = due(1, RefundCause::OrderCancelled, TOTAL);
    let mut provider = MockPaymentProvider::new();
    provider.expect_refund().returning(|_| Err(ProviderError::Unavailable("timeout".into())));
    let (service, books) = kept(Books::of(&[owed(1)], &[due]), Some(opened_for(&[1])), provider);
    assert_eq!(service.pay_back().await.unwrap(), PaidBack { waiting: 1, ..PaidBack::default() });
    service.conclude(unpaid(1).id).await.unwrap();
    assert!(books.lock().unwrap().begun.is_empty());
}
