//! Refunds, payments to audit, and the provider's events.

use domain::{Actor, Order, Payment, RefundState};
use ports::{Applied, Ended, PaymentAttempt, Waits};

use crate::world::{World, at, concurrently, meta, transaction};

/// The application's own setting.
const WAITS: Waits =
    Waits { share: 4, least: std::time::Duration::from_mins(10), most: std::time::Duration::from_hours(22) };

async fn paid(world: &World, n: u128) -> Order {
    let customer = world.customer(&format!("customer{n}@example.com")).await;
    let product = world.product(500).await;
    let order = world.fifty(&customer, &product).await;
    let intent = PaymentAttempt::of_order(transaction(n), order.id, order.item.total);
    world.payment_attempts().attach(&intent, at(20)).await.unwrap();
    let order = world.write(&order.settle(transaction(n), meta(21, Actor::Shop)).unwrap()).await;
    world.payment_attempts().close(&transaction(n), Ended::Settled, at(22)).await.unwrap();
    order
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_a_paid_order_returns_its_units_and_owes_the_refund_until_it_is_paid() {
    let world = World::fresh().await;
    let order = paid(&world, 1).await;
    assert_eq!(world.stock_of(order.item.product).await, 450);
    let owing = world.write(&order.cancel_with_refund(meta(30, Actor::Shop)).unwrap()).await;
    assert_eq!(world.stock_of(owing.item.product).await, 500);
    let due = world.refunds().of_order(owing.id).await.unwrap();
    assert_eq!(
        (due.len(), due[0].state, due[0].amount),
        (1, RefundState::Due, owing.item.total),
        "the refund is recorded by the cancellation itself"
    );
    assert_eq!(world.orders_of(owing.customer).await, []);
    world.assert_sound();

    let refunded = world.write(&owing.refund(transaction(1), meta(31, Actor::Shop)).unwrap()).await;
    assert!(matches!(refunded.state.payment(), Payment::Refunded { .. }));
    assert!(world.refunds().of_order(refunded.id).await.unwrap()[0].state.stands());
    let row = world.order(refunded.id).await;
    assert_eq!(row.refunded, row.due());
    let replayed = Order::replay(&world.timeline(refunded.id).await).unwrap();
    assert_eq!(Order { refunded: row.refunded, ..replayed }, row);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_concurrent_shipping_and_cancelling_only_one_is_written() {
    let world = World::with_pool(8).await;
    for round in 1..=20 {
        let order = paid(&world, round).await;
        let ship = order.clone().ship(meta(30, Actor::Shop)).unwrap();
        let cancel_paid = order.clone().cancel_with_refund(meta(30, Actor::Shop)).unwrap();
        let outcomes = concurrently(8, |n| {
            let (database, change) =
                (world.database.clone(), if n % 2 == 0 { ship.clone() } else { cancel_paid.clone() });
            async move { ports::OrderRepository::apply(&database, &change).await.unwrap() }
        })
        .await;
        assert_eq!(outcomes.iter().filter(|outcome| **outcome == Applied::Written).count(), 1, "round {round}");
    }
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_and_its_change_are_written_together_or_not_at_all() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let order = world.fifty(&customer, &world.product(500).await).await;
    let settle = order.clone().settle(transaction(1), meta(20, Actor::Shop)).unwrap();
    let events = world.payment_events();
    assert!(!events.is_known("evt_1").await.unwrap());

    // A change based on an older order conflicts, and then the event is not recorded either.
    let shipped = world.write(&order.ship(meta(15, Actor::Shop)).unwrap()).await;
    assert_eq!(events.apply("evt_1", &settle, at(21)).await.unwrap(), Applied::Conflict);
    assert!(!events.is_known("evt_1").await.unwrap());

    let settle = shipped.settle(transaction(1), meta(22, Actor::Shop)).unwrap();
    assert_eq!(events.apply("evt_1", &settle, at(22)).await.unwrap(), Applied::Written);
    assert!(events.is_known("evt_1").await.unwrap());
    assert!(world.order(settle.after.id).await.is_paid());
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_is_already_known_changes_no_order() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let order = world.fifty(&customer, &world.product(500).await).await;
    let events = world.payment_events();
    events.remember("evt_1", at(20)).await.unwrap();
    events.remember("evt_1", at(21)).await.unwrap();
    let settle = order.clone().settle(transaction(1), meta(22, Actor::Shop)).unwrap();
    assert_eq!(events.apply("evt_1", &settle, at(22)).await.unwrap(), Applied::Conflict);
    assert_eq!(world.order(order.id).await, order);
    assert_eq!(events.forget(at(20), 9).await.unwrap(), 0);
    assert_eq!(events.forget(at(21), 9).await.unwrap(), 1);
    assert!(!events.is_known("evt_1").await.unwrap());
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_concurrent_copies_of_an_event_settle_the_order_once() {
    let world = World::with_pool(8).await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(5_000).await;
    for round in 1..=10 {
        let order = world.fifty(&customer, &product).await;
        let settle = order.settle(transaction(round), meta(20, Actor::Shop)).unwrap();
        let outcomes = concurrently(50, |_| {
            let (database, settle, event) = (world.database.clone(), settle.clone(), format!("evt_{round}"));
            async move { ports::PaymentEvents::apply(&database, &event, &settle, at(21)).await.unwrap() }
        })
        .await;
        assert_eq!(outcomes.iter().filter(|outcome| **outcome == Applied::Written).count(), 1, "round {round}");
        assert_eq!(world.timeline(settle.after.id).await.len(), 2);
    }
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn settled_payments_are_audited_one_after_the_other_and_disagreements_are_counted() {
    let world = World::fresh().await;
    let (first, second) = (paid(&world, 1).await, paid(&world, 2).await);
    let cancelled_paid = paid(&world, 3).await;
    world.write(&cancelled_paid.cancel_with_refund(meta(30, Actor::Shop)).unwrap()).await;
    let payment_attempts = world.payment_attempts();

    let one = payment_attempts.lease_settled(WAITS, 1).await.unwrap();
    let other = payment_attempts.lease_settled(WAITS, 10).await.unwrap();
    assert_eq!((one.len(), other.len()), (1, 1), "cancelled orders are not audited");
    let mut seen = [one[0].order, other[0].order];
    seen.sort_unstable();
    let mut expected = [first.id, second.id];
    expected.sort_unstable();
    assert_eq!(seen, expected);
    assert_eq!(payment_attempts.lease_settled(WAITS, 10).await.unwrap(), []);

    assert_eq!(payment_attempts.disagreements().await.unwrap(), 0);
    payment_attempts.note_agreement(&transaction(1), false).await.unwrap();
    payment_attempts.note_agreement(&transaction(1), false).await.unwrap();
    payment_attempts.note_agreement(&transaction(2), true).await.unwrap();
    assert_eq!(payment_attempts.disagreements().await.unwrap(), 1);
    payment_attempts.note_agreement(&transaction(1), true).await.unwrap();
    assert_eq!(payment_attempts.disagreements().await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_whose_order_was_cancelled_is_no_longer_a_disagreement() {
    let world = World::fresh().await;
    let order = paid(&world, 1).await;
    world.payment_attempts().note_agreement(&transaction(1), false).await.unwrap();
    assert_eq!(world.payment_attempts().disagreements().await.unwrap(), 1);
    // It is not audited again, so the disagreement could never be withdrawn.
    let owing = world.write(&order.cancel_with_refund(meta(30, Actor::Shop)).unwrap()).await;
    assert_eq!(world.payment_attempts().disagreements().await.unwrap(), 0);
    world.write(&owing.refund(transaction(1), meta(31, Actor::Shop)).unwrap()).await;
    assert_eq!(world.payment_attempts().disagreements().await.unwrap(), 0);
}
