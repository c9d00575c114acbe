use std::slice::from_ref;
use std::sync::Arc;

use domain::Money;
use ports::{MockPaymentAttempts, MockPaymentProvider, MockRefundRepository};

use super::*;
use crate::Ports;
use crate::payments::books::{
    Books, TOTAL, cancelled, cents, kept, opened_for, owed, paid, refund, report, sent_as, unpaid,
};
use crate::testing::{intent, payments_on, ports, transaction};

fn payment_of(n: u128) -> PaymentRef {
    PaymentRef { id: transaction(), order: unpaid(n).id }
}

/// A payment of which the provider says that so much went back, and whether it is disputed.
fn succeeded(refunded: i64, disputed: bool) -> PaymentIntent {
    PaymentIntent { refunded: cents(refunded), disputed, ..intent(&paid(1), PaymentIntentState::Succeeded) }
}

/// A provider that says this of a payment, and is asked for its refunds so often.
fn saying(payment: PaymentIntent, refunds: Vec<ProviderRefund>, asked: usize) -> MockPaymentProvider {
    let mut provider = MockPaymentProvider::new();
    provider.expect_find().returning(move |_| Ok(Some(payment.clone())));
    provider.expect_refunds_of().times(asked).returning(move |_| Ok(refunds.clone()));
    provider
}

fn dispute(id: &str, state: DisputeState) -> Dispute {
    Dispute { id: id.parse().unwrap(), amount: cents(TOTAL), state, reason: None }
}

#[tokio::test]
async fn a_refund_made_in_the_dashboard_is_recorded_once_and_one_that_failed_there_is_not() {
    let reports =
        vec![report("re_8", None, RefundState::Failed, 100), report("re_9", None, RefundState::Succeeded, 100)];
    let (service, books) =
        kept(Books::of(&[paid(1)], &[]), Some(opened_for(&[1])), saying(succeeded(100, false), reports, 1));
    for _ in 0..2 {
        let reviewed = service.review_payment(&payment_of(1)).await.unwrap();
        assert_eq!(reviewed.withheld(&paid(1)), Some(Withheld::RefundedElsewhere));
    }
    let books = books.lock().unwrap();
    let [made] = books.refunds.as_slice() else { panic!("{:?}", books.refunds) };
    assert_eq!((made.cause, made.state, made.amount), (RefundCause::Elsewhere, RefundState::Succeeded, cents(100)));
    assert_eq!(made.provider_id, Some("re_9".parse().unwrap()));
    assert!(matches!(books.events.as_slice(), [(_, OrderEventKind::PartlyRefunded(_))]), "{:?}", books.events);
}

#[tokio::test]
async fn a_second_report_of_a_refund_of_ours_is_not_one_of_the_dashboard() {
    let known = sent_as(refund(1, 1, RefundCause::Admin, RefundState::Succeeded, 100), "re_1");
    let reports = vec![
        report("re_1", Some(&known), RefundState::Succeeded, 100),
        report("re_2", Some(&known), RefundState::Succeeded, 100),
    ];
    let (service, books) = kept(
        Books::of(&[paid(1)], from_ref(&known)),
        Some(opened_for(&[1])),
        saying(succeeded(200, false), reports, 1),
    );
    service.review_payment(&payment_of(1)).await.unwrap();
    assert_eq!(books.lock().unwrap().refunds, [known]);
}

#[tokio::test]
async fn a_refund_that_was_on_its_way_is_asked_for_although_the_sums_agree() {
    let known = sent_as(refund(1, 1, RefundCause::Admin, RefundState::Pending, 100), "re_1");
    let reports = vec![report("re_1", Some(&known), RefundState::Succeeded, 100)];
    let (service, books) =
        kept(Books::of(&[paid(1)], &[known]), Some(opened_for(&[1])), saying(succeeded(100, false), reports, 1));
    service.review_payment(&payment_of(1)).await.unwrap();
    assert_eq!(books.lock().unwrap().refunds[0].state, RefundState::Succeeded);
}

#[tokio::test]
async fn a_dispute_is_recorded_with_the_first_order_and_followed_until_it_is_closed() {
    let open = || dispute("dp_1", DisputeState::Open);
    let cases = [
        // Whether the provider says that there is one, what is on record, and what it reports if it is asked.
        (false, None, None, 0),
        (true, None, Some(open()), 1),
        (true, Some(open()), Some(open()), 0),
        (true, Some(open()), Some(dispute("dp_1", DisputeState::Won)), 1),
        (true, Some(dispute("dp_1", DisputeState::Won)), None, 0),
    ];
    for (is_disputed, known, reported, events) in cases {
        let mut provider = saying(succeeded(0, is_disputed), Vec::new(), 0);
        let answer: Vec<Dispute> = reported.clone().into_iter().collect();
        provider.expect_disputes_of().times(answer.len()).returning(move |_| Ok(answer.clone()));
        let mut books = Books::of(&[paid(1), paid(2)], &[]);
        books.disputes = known.clone().map(|known| (unpaid(1).id, known)).into_iter().collect();
        let (service, books) = kept(books, Some(opened_for(&[1, 2])), provider);
        service.review_payment(&payment_of(2)).await.unwrap();
        let books = books.lock().unwrap();
        let expected = reported.or(known).map(|dispute| (unpaid(1).id, dispute));
        assert_eq!(books.disputes, expected.into_iter().collect::<Vec<_>>());
        assert_eq!(books.events.len(), events, "{:?}", books.events);
    }
}

#[test]
fn the_timeline_says_that_a_dispute_was_opened_and_how_it_was_closed() {
    use DisputeState::{Lost, Open, Won};
    let said = |before, state| {
        event_of(&payment_of(1), before, &dispute("dp_1", state)).map(|kind| match kind {
            OrderEventKind::Disputed { .. } => "opened",
            OrderEventKind::DisputeClosed { won: true, .. } => "won",
            OrderEventKind::DisputeClosed { won: false, .. } => "lost",
            other => panic!("{other:?}"),
        })
    };
    assert_eq!([said(None, Open), said(Some(Lost), Open), said(Some(Open), Open)], [Some("opened"), None, None]);
    assert_eq!([said(None, Won), said(Some(Open), Won), said(Some(Won), Won)], [Some("won"), Some("won"), None]);
    assert_eq!(
        [said(Some(Open), Lost), said(Some(Won), Lost), said(Some(Lost), Lost)],
        [Some("lost"), Some("lost"), None]
    );
}

#[tokio::test]
async fn a_payment_that_brought_something_else_is_withheld() {
    let sound = succeeded(0, false);
    let unpaid_there = PaymentIntent { state: PaymentIntentState::Open, ..sound.clone() };
    let less = PaymentIntent { received: cents(1), ..sound.clone() };
    let dear = PaymentAttempt::of_order(transaction(), paid(1).id, cents(TOTAL + 1));
    for (there, opened, why) in [
        (sound.clone(), Some(opened_for(&[1])), None),
        (unpaid_there, Some(opened_for(&[1])), Some(Withheld::Disagreement)),
        (less, Some(opened_for(&[1])), Some(Withheld::Disagreement)),
        (
            PaymentIntent { amount: dear.amount, received: dear.amount, ..sound.clone() },
            Some(dear),
            Some(Withheld::Disagreement),
        ),
        (sound, None, Some(Withheld::Disagreement)),
    ] {
        let (service, _) = kept(Books::of(&[paid(1)], &[]), opened, saying(there, Vec::new(), 0));
        let reviewed = service.review_payment(&payment_of(1)).await.unwrap();
        assert_eq!(reviewed.withheld(&paid(1)), why);
    }
}

#[tokio::test]
async fn a_reviewed_payment_names_all_of_its_orders() {
    let provider = saying(succeeded(0, false), Vec::new(), 0);
    let (service, _) = kept(Books::of(&[paid(1), paid(2)], &[]), Some(opened_for(&[1, 2])), provider);
    let reviewed = service.review_payment(&payment_of(1)).await.unwrap();
    assert_eq!(reviewed.orders(), Some(vec![unpaid(1).id, unpaid(2).id]));
}

#[tokio::test]
async fn what_a_payment_was_opened_for_is_read_only_if_the_dashboard_refunded_another_order() {
    let all = vec![
        refund(1, 1, RefundCause::Elsewhere, RefundState::Succeeded, 100),
        refund(2, 1, RefundCause::Admin, RefundState::Succeeded, 200),
    ];
    let mut refunds = MockRefundRepository::new();
    refunds.expect_of_payment().returning(move |_| Ok(all.clone()));
    let payment_attempts = Arc::new(MockPaymentAttempts::new());
    let service = payments_on(Ports { refunds: Arc::new(refunds), payment_attempts, ..ports() });
    let own = service.refunds_of(&payment_of(1)).await.unwrap();
    assert_eq!(own.iter().map(|refund| refund.amount).collect::<Vec<_>>(), [cents(100)]);
}

/// A refund of an owed order, with what the provider answers to the call that asks for it.
async fn answered(state: RefundState, meddling: Option<fn(&mut Books)>) -> (Refund, Vec<OrderEventKind>) {
    let due = refund(1, 1, RefundCause::OrderCancelled, RefundState::Due, TOTAL);
    let mut books = Books::of(&[owed(1)], from_ref(&due));
    books.meddling = meddling;
    let (service, books) = kept(books, Some(opened_for(&[1])), MockPaymentProvider::new());
    let noted = service.note_refund(due.clone(), &report("re_1", Some(&due), state, TOTAL)).await.unwrap();
    let events = books.lock().unwrap().events.iter().map(|(_, kind)| kind.clone()).collect();
    (noted, events)
}

#[tokio::test]
async fn an_answer_about_an_earlier_attempt_says_nothing_of_the_next_one_unless_it_went_through() {
    let (noted, events) = answered(RefundState::Failed, None).await;
    assert_eq!(noted.state, RefundState::Failed);
    assert!(matches!(events.as_slice(), [OrderEventKind::RefundFailed(_)]), "{events:?}");
    let asked_again: fn(&mut Books) = |books| books.refunds[0].attempt = 2;
    assert_eq!(answered(RefundState::Failed, Some(asked_again)).await.0.state, RefundState::Due);
    assert_eq!(answered(RefundState::Succeeded, Some(asked_again)).await.0.state, RefundState::Succeeded);
}

#[tokio::test]
async fn the_refund_with_which_all_is_back_makes_its_order_refunded() {
    let earlier = sent_as(refund(1, 2, RefundCause::Admin, RefundState::Succeeded, 100), "re_0");
    let rest = refund(1, 1, RefundCause::OrderCancelled, RefundState::Due, TOTAL - 100);
    let books = Books::of(&[owed(1)], &[earlier, rest.clone()]);
    let (service, books) = kept(books, Some(opened_for(&[1])), MockPaymentProvider::new());
    let taken = report("re_1", Some(&rest), RefundState::Succeeded, TOTAL - 100);
    service.note_refund(rest, &taken).await.unwrap();
    let books = books.lock().unwrap();
    assert!(matches!(books.events.as_slice(), [(_, OrderEventKind::Refunded { .. })]), "{:?}", books.events);
}

#[tokio::test]
async fn the_timeline_says_nothing_of_money_that_settled_no_order() {
    let late = refund(1, 1, RefundCause::Late, RefundState::Due, 100);
    let (service, books) = kept(Books::of(&[cancelled(1)], from_ref(&late)), None, MockPaymentProvider::new());
    let taken = report("re_1", Some(&late), RefundState::Succeeded, 100);
    service.note_refund(late, &taken).await.unwrap();
    assert!(books.lock().unwrap().events.is_empty());
}

#[test]
fn a_dashboards_refund_is_borne_by_the_order_with_the_least_that_is_enough() {
    let opened = PaymentAttempt {
        shares: [(1, 300), (2, 200), (3, 500)]
            .map(|(n, amount)| PaymentShare { order: unpaid(n).id, amount: cents(amount) })
            .to_vec(),
        ..opened_for(&[1, 2, 3])
    };
    let gone = [refund(2, 1, RefundCause::Admin, RefundState::Succeeded, 100)];
    let bearer = |known: &[Refund], amount| {
        bearer_of(&opened, known, &report("re_1", None, RefundState::Succeeded, amount)).order
    };
    assert_eq!(bearer(&[], 200), unpaid(2).id);
    assert_eq!(bearer(&[], 201), unpaid(1).id);
    assert_eq!(bearer(&gone, 150), unpaid(1).id, "100 of the second are left");
    assert_eq!(bearer(&gone, 300), unpaid(1).id, "and all of the first");
    assert_eq!(bearer(&gone, 600), unpaid(3).id, "none has enough, and the third has the most");
}

#[test]
fn a_report_is_about_the_refund_with_its_id_then_about_ours_then_about_one_of_its_amount() {
    use RefundState::{Due, Failed, Succeeded};
    let of = |n, state| refund(1, n, RefundCause::Admin, state, 100);
    let found = |known: &[Refund], reported: &ProviderRefund| matching_refund(known, reported).map(|refund| refund.id);
    let (first, second) = (of(1, Due), of(2, Due));

    let known = [sent_as(of(1, Succeeded), "re_9"), sent_as(of(2, Succeeded), "re_1")];
    assert_eq!(found(&known, &report("re_1", Some(&first), Succeeded, 100)), Some(second.id), "by its id");

    let both = [first.clone(), second.clone()];
    assert_eq!(found(&both, &report("re_1", Some(&second), Succeeded, 999)), Some(second.id), "ours");
    assert_eq!(
        found(&both, &report("re_1", Some(&second), Failed, 100)),
        None,
        "an attempt that failed before the next one"
    );
    let standing = [of(2, RefundState::Pending)];
    assert_eq!(found(&standing, &report("re_1", Some(&second), Failed, 100)), Some(second.id), "what stood has failed");
    let known = [sent_as(second.clone(), "re_0")];
    assert_eq!(found(&known, &report("re_1", Some(&second), Succeeded, 100)), None, "it has another id already");

    let unnamed = |state| report("re_1", None, state, 100);
    assert_eq!(found(&both, &unnamed(Succeeded)), Some(first.id), "of its amount");
    assert_eq!(found(&both, &report("re_1", None, Succeeded, 99)), None);
    assert_eq!(found(&both, &unnamed(Failed)), None);
    assert_eq!(found(&[of(1, Succeeded)], &unnamed(Failed)), Some(first.id));
    assert_eq!(found(&[sent_as(of(1, Succeeded), "re_0")], &unnamed(Succeeded)), None);
    assert_eq!(found(&[of(1, Failed)], &unnamed(Succeeded)), None);
    let elsewhere = refund(1, 1, RefundCause::Elsewhere, Succeeded, 100);
    assert_eq!(found(&[elsewhere], &unnamed(Succeeded)), None);
    assert_eq!(found(&both, &report("re_1", Some(&of(3, Due)), Succeeded, 100)), None, "another refund of ours");
    assert_eq!(
        refunded_at_provider(&[of(1, Due), of(2, Succeeded), of(3, RefundState::Pending)]),
        Money::from_cents(200).unwrap()
    );
}
