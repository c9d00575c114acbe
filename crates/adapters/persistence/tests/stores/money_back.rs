//! Refunds and disputes: what is left of a payment, who leases which refund, and what needs attention.

use std::collections::HashSet;
use std::time::Duration;

use domain::{
    Actor, Dispute, DisputeState, Money, Order, OrderEventKind, Refund, RefundCause, RefundId, RefundState,
    TransactionId,
};
use ports::{
    Acknowledged, Applied, AttentionItem, NewRefund, PaymentAttempt, PaymentRef, RefundBegun, RefundRepository,
};

use crate::world::{World, at, concurrently, id, key, meta, transaction};

fn cents(cents: i64) -> Money {
    Money::from_cents(cents).unwrap()
}

async fn paid(world: &World, n: u128) -> Order {
    let customer = world.customer(&format!("customer{n}@example.com")).await;
    let product = world.product(500).await;
    let order = world.fifty(&customer, &product).await;
    world.write(&order.settle(transaction(n), meta(21, Actor::Shop)).unwrap()).await
}

fn refund(order: &Order, payment: &TransactionId, amount: Money, cause: RefundCause) -> Refund {
    Refund {
        id: RefundId::new(id()),
        order: order.id,
        payment: payment.clone(),
        amount,
        cause,
        state: RefundState::Due,
        provider_id: None,
        attempt: 1,
        tries: 0,
        failure: None,
        note: None,
        by: Actor::Shop,
        created_at: at(30),
        changed_at: at(30),
    }
}

fn new(order: &Order, refund: Refund) -> NewRefund {
    NewRefund { refund, brought: order.item.total, idempotency_key: None, change: None }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_refunds_never_exceed_the_payment() {
    let world = World::with_pool(8).await;
    let order = paid(&world, 1).await;
    let third = cents(order.item.total.cents() / 3);
    let outcomes = concurrently(8, |_| {
        let (database, new) =
            (world.database.clone(), new(&order, refund(&order, &transaction(1), third, RefundCause::Admin)));
        async move { RefundRepository::begin(&database, &new).await.unwrap() }
    })
    .await;
    assert_eq!(outcomes.iter().filter(|one| **one == RefundBegun::Written).count(), 3, "{outcomes:?}");
    let left = cents(order.item.total.cents() % 3);
    assert_eq!(outcomes.iter().filter(|one| **one == RefundBegun::TooMuch { left }).count(), 5, "{outcomes:?}");
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_under_a_key_is_decided_once() {
    let world = World::fresh().await;
    let order = paid(&world, 1).await;
    let first = refund(&order, &transaction(1), cents(500), RefundCause::Admin);
    let keyed = NewRefund { idempotency_key: Some(key(7)), ..new(&order, first.clone()) };
    assert_eq!(world.refunds().begin(&keyed).await.unwrap(), RefundBegun::Written);
    let again = NewRefund { refund: Refund { id: RefundId::new(id()), ..first.clone() }, ..keyed };
    let RefundBegun::Known(known) = world.refunds().begin(&again).await.unwrap() else {
        panic!("the refund is not known")
    };
    assert_eq!(known.id, first.id);
    assert_eq!(world.refunds().begun_under(order.id, key(7)).await.unwrap().map(|known| known.id), Some(first.id));
    assert_eq!(world.refunds().begun_under(order.id, key(8)).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_and_its_order_change_are_written_together_or_not_at_all() {
    let world = World::fresh().await;
    let order = paid(&world, 1).await;
    let total = order.item.total;
    let cancel_paid = order.clone().cancel_with_refund(meta(30, Actor::Shop)).unwrap();
    world.write(&order.clone().ship(meta(29, Actor::Shop)).unwrap()).await;
    let due = refund(&order, &transaction(1), total, RefundCause::OrderCancelled);
    let conflicting = NewRefund { change: Some(cancel_paid), ..new(&order, due.clone()) };
    assert_eq!(world.refunds().begin(&conflicting).await.unwrap(), RefundBegun::Conflict);
    assert_eq!(world.refunds().of_order(order.id).await.unwrap(), []);

    let shipped = world.order(order.id).await;
    assert_eq!(world.refunds().begin(&new(&shipped, due.clone())).await.unwrap(), RefundBegun::Written);
    let sent = Refund { state: RefundState::Succeeded, provider_id: Some("re_1".parse().unwrap()), ..due.clone() };
    let change = shipped.refund(transaction(1), meta(31, Actor::Shop)).unwrap();
    let apply = || world.refunds().apply(&due, &sent, Some(change.clone()), Duration::ZERO);
    assert_eq!(apply().await.unwrap(), Applied::Written);
    assert_eq!(apply().await.unwrap(), Applied::Conflict);
    assert_eq!(world.refunds().find(sent.id).await.unwrap().map(|found| found.state), Some(RefundState::Succeeded));

    // The refund fails later: the order holds the money again and can be refunded once more.
    let order = world.order(order.id).await;
    let failed = Refund { state: RefundState::Failed, ..sent.clone() };
    let money =
        domain::orders::event::MoneyBack { transaction: transaction(1), refund: failed.id, amount: failed.amount };
    let change = order.refund_failed(money, meta(40, Actor::Shop));
    assert_eq!(world.refunds().apply(&sent, &failed, Some(change), Duration::ZERO).await.unwrap(), Applied::Written);
    assert!(world.order(failed.order).await.is_paid());
    let row = world.order(failed.order).await;
    assert_eq!(row.refunded, Money::ZERO);
    assert_eq!(Order::replay(&world.timeline(failed.order).await).unwrap(), row);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn refunds_that_cannot_be_sent_do_not_block_others() {
    let world = World::with_pool(8).await;
    let order = paid(&world, 1).await;
    for _ in 0..101 {
        let due = refund(&order, &transaction(1), cents(1), RefundCause::Admin);
        world.refunds().begin(&new(&order, due)).await.unwrap();
    }
    world.sql("UPDATE refunds SET next_try_at = now() - interval '1 h'");
    let first = world.refunds().lease_due(100).await.unwrap();
    let second = world.refunds().lease_due(100).await.unwrap();
    assert_eq!((first.len(), second.len()), (100, 1), "the last one is in the second batch");
    assert_eq!(world.refunds().lease_due(100).await.unwrap(), [], "and none is due again immediately");

    world.sql("UPDATE refunds SET next_try_at = now() - interval '1 h'");
    let leased = concurrently(8, |_| {
        let database = world.database.clone();
        async move { RefundRepository::lease_due(&database, 15).await.unwrap() }
    })
    .await;
    let leased: Vec<RefundId> = leased.into_iter().flatten().map(|refund| refund.id).collect();
    assert_eq!(leased.iter().collect::<HashSet<_>>().len(), leased.len(), "a refund was leased twice");
    assert_eq!(leased.len(), 101);
    // The waits double: five seconds, ten, twenty, up to an hour.
    let wait = "SELECT max(extract(epoch FROM next_try_at - clock_timestamp())) FROM refunds";
    assert!((8..=10).contains(&world.count(wait)), "{}", world.count(wait));
    world.sql("UPDATE refunds SET tries = 30, next_try_at = now() - interval '1 h'");
    world.refunds().lease_due(200).await.unwrap();
    assert!((3_500..=3_600).contains(&world.count(wait)), "{}", world.count(wait));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_that_cannot_be_decoded_is_skipped_and_blocks_no_other() {
    let world = World::fresh().await;
    let order = paid(&world, 1).await;
    for _ in 0..8 {
        let due = refund(&order, &transaction(1), cents(1), RefundCause::Admin);
        world.refunds().begin(&new(&order, due)).await.unwrap();
    }
    world.sql("UPDATE refunds SET next_try_at = now() - interval '1 h'");
    world.sql("UPDATE refunds SET note = '   ' WHERE id = (SELECT id FROM refunds ORDER BY id LIMIT 1)");
    let before = world.refunds().lease_due(100).await.unwrap().len();
    assert_eq!(before, 7);
    assert_eq!(world.refunds().lease_due(100).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_succeeded_refund_is_monitored_for_a_month() {
    let world = World::fresh().await;
    let order = paid(&world, 1).await;
    let due = refund(&order, &transaction(1), cents(1), RefundCause::Admin);
    world.refunds().begin(&new(&order, due)).await.unwrap();
    for (age, checked_again) in [("1 day", true), ("29 days", true), ("31 days", false)] {
        world.sql(&format!(
            "UPDATE refunds SET state = 'succeeded', changed_at = now() - interval '{age}', next_try_at = '-infinity'"
        ));
        assert_eq!(world.refunds().lease_due(10).await.unwrap().len(), 1, "{age}");
        let next = world.count("SELECT count(*) FROM refunds WHERE next_try_at < now() + interval '1 day'");
        assert_eq!(next == 1, checked_again, "{age}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_matter_that_cannot_be_decoded_hides_no_other() {
    let world = World::fresh().await;
    let (bad, good) = (paid(&world, 1).await, paid(&world, 2).await);
    for (n, order) in [(1, &bad), (2, &good)] {
        let failed =
            Refund { state: RefundState::Failed, ..refund(order, &transaction(n), cents(500), RefundCause::Admin) };
        world.refunds().begin(&new(order, failed)).await.unwrap();
    }
    world.sql(&format!("UPDATE refunds SET payment_id = 'pi 1' WHERE order_id = '{}'", bad.id));
    let listed = world.refunds().attention(10).await.unwrap();
    assert_eq!(listed.iter().map(|(matter, _)| matter.order()).collect::<Vec<_>>(), [Some(good.id)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_needs_attention_is_listed_and_counted_until_it_is_resolved() {
    let world = World::fresh().await;
    let (failed, disputed, elsewhere) = (paid(&world, 1).await, paid(&world, 2).await, paid(&world, 3).await);
    let mut gone = refund(&failed, &transaction(1), cents(500), RefundCause::Admin);
    gone.state = RefundState::Failed;
    world.refunds().begin(&new(&failed, gone.clone())).await.unwrap();
    let dispute = |state| Dispute {
        id: "dp_1".parse().unwrap(),
        amount: disputed.item.total,
        state,
        reason: domain::Text::new("fraudulent").ok(),
    };
    let payment = PaymentRef { id: transaction(2), order: disputed.id };
    let kind = OrderEventKind::Disputed {
        transaction: transaction(2),
        dispute: "dp_1".parse().unwrap(),
        amount: disputed.item.total,
    };
    let change = disputed.clone().note(kind, meta(40, Actor::Shop));
    let noted =
        world.refunds().note_dispute(&payment, None, &dispute(DisputeState::Open), change, at(40)).await.unwrap();
    assert_eq!(noted, Applied::Written);
    let mut past = refund(&elsewhere, &transaction(3), cents(500), RefundCause::Elsewhere);
    past.state = RefundState::Succeeded;
    past.provider_id = Some("re_7".parse().unwrap());
    world.refunds().begin(&new(&elsewhere, past.clone())).await.unwrap();
    assert!(matches!(world.refunds().begin(&new(&elsewhere, past.clone())).await.unwrap(), RefundBegun::Known(_)));
    let owed = world.fifty(&world.customer("b@example.com").await, &world.product(500).await).await;
    let open = PaymentAttempt::of_order(transaction(9), owed.id, owed.due());
    world.payment_attempts().attach(&open, at(20)).await.unwrap();
    world.payment_attempts().note_mismatch(&open.id).await.unwrap();
    world.payment_attempts().note_known(&open.id, false).await.unwrap();

    let listed = world.refunds().attention(10).await.unwrap();
    assert_eq!(listed.len(), 4, "{listed:?}");
    assert!(listed.iter().any(|(matter, _)| *matter == AttentionItem::Mismatched(open.clone())));
    let tally = world.refunds().tally().await.unwrap();
    assert_eq!((tally.failed, tally.disputed, tally.elsewhere, tally.mismatched, tally.unknown), (1, 1, 1, 1, 1));

    let by = Actor::Shop;
    assert!(!world.refunds().acknowledge(&Acknowledged::Dispute("dp_1".parse().unwrap()), &by, at(50)).await.unwrap());
    world
        .refunds()
        .note_dispute(&payment, Some(DisputeState::Open), &dispute(DisputeState::Lost), None, at(50))
        .await
        .unwrap();
    for (what, done) in [
        (Acknowledged::Dispute("dp_1".parse().unwrap()), true),
        (Acknowledged::Dispute("dp_1".parse().unwrap()), false),
        (Acknowledged::Refund(past.id), true),
        (Acknowledged::Refund(gone.id), false),
    ] {
        assert_eq!(world.refunds().acknowledge(&what, &by, at(51)).await.unwrap(), done, "{what:?}");
    }
    world.payment_attempts().note_known(&open.id, true).await.unwrap();
    let tally = world.refunds().tally().await.unwrap();
    assert_eq!((tally.failed, tally.disputed, tally.elsewhere, tally.unknown), (1, 0, 0, 0));
    assert_eq!(world.refunds().attention(10).await.unwrap().len(), 2);
    // A lost dispute counts on the day on which it was lost.
    let day = domain::Day::of(at(50));
    let lost = world.orders().sales(day, day).await.unwrap();
    assert_eq!(lost[0].returned_cents, disputed.item.total.cents() + 500);
}

#[tokio::test(flavor = "multi_thread")]
async fn refunds_of_the_previous_release_are_tracked_and_failed_ones_cannot_be_overwritten() {
    let world = World::fresh().await;
    let order = paid(&world, 1).await;
    // It does not know the refunds table: it cancels, sends the money and writes that to the order.
    let owing = world.write(&order.cancel_with_refund(meta(30, Actor::Shop)).unwrap()).await;
    let due = world.refunds().of_order(owing.id).await.unwrap().remove(0);
    assert_eq!((due.state, due.cause), (RefundState::Due, RefundCause::OrderCancelled));
    let change = owing.clone().refund(transaction(1), meta(31, Actor::Shop)).unwrap();
    let failed = Refund { state: RefundState::Failed, ..due.clone() };
    world.refunds().apply(&due, &failed, None, Duration::ZERO).await.unwrap();
    assert!(world.orders().apply(&change).await.is_err(), "a failed refund cannot settle the order");
    world.refunds().apply(&failed, &due, None, Duration::ZERO).await.unwrap();
    world.write(&change).await;
    assert_eq!(world.refunds().find(due.id).await.unwrap().unwrap().state, RefundState::Succeeded);
    world.assert_sound();
}
