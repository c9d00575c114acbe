//! Orders that owe money, orders that nobody paid, and what the payment provider told.

use domain::{Actor, Order, Payment, RefundState};
use ports::{Applied, Ended, PaymentAttempt, Waits};

use crate::world::{World, at, at_once, meta, transaction};

/// As the shop does it.
const WAITS: Waits =
    Waits { share: 4, least: std::time::Duration::from_mins(10), most: std::time::Duration::from_hours(22) };

async fn paid(world: &World, n: u128) -> Order {
    let customer = world.person(&format!("buyer{n}@example.com")).await;
    let product = world.product(500).await;
    let order = world.fifty(&customer, &product).await;
    let intent = PaymentAttempt { id: transaction(n), order: order.id, amount: order.item.total };
    world.payment_attempts().attach(&intent, at(20)).await.unwrap();
    let order = world.write(&order.settle(transaction(n), meta(21, Actor::Shop)).unwrap()).await;
    world.payment_attempts().close(&transaction(n), Ended::Settled, at(22)).await.unwrap();
    order
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_is_called_off_gives_its_units_back_and_owes_until_its_money_went_back() {
    let world = World::fresh().await;
    let order = paid(&world, 1).await;
    assert_eq!(world.shelf(order.item.product).await, 450);
    let owing = world.write(&order.cancel_paid(meta(30, Actor::Shop)).unwrap()).await;
    assert_eq!(world.shelf(owing.item.product).await, 500);
    let due = world.refunds().of_order(owing.id).await.unwrap();
    assert_eq!(
        (due.len(), due[0].state, due[0].amount),
        (1, RefundState::Due, owing.item.total),
        "even if nobody says so"
    );
    assert_eq!(world.orders_of(owing.customer).await, []);
    world.assert_sound();

    let refunded = world.write(&owing.refund(transaction(1), meta(31, Actor::Shop)).unwrap()).await;
    assert!(matches!(refunded.progress.payment, Payment::Refunded { .. }));
    assert!(world.refunds().of_order(refunded.id).await.unwrap()[0].state.stands());
    assert_eq!(Order::replay(&world.timeline(refunded.id).await).unwrap(), world.order(refunded.id).await);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_shipping_and_calling_off_at_the_same_moment_one_is_written() {
    let world = World::with_pool(8).await;
    for round in 1..=20 {
        let order = paid(&world, round).await;
        let ship = order.clone().ship(meta(30, Actor::Shop)).unwrap();
        let cancel_paid = order.clone().cancel_paid(meta(30, Actor::Shop)).unwrap();
        let outcomes = at_once(8, |n| {
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
async fn a_message_and_what_it_changed_are_written_together_or_not_at_all() {
    let world = World::fresh().await;
    let customer = world.person("buyer@example.com").await;
    let order = world.fifty(&customer, &world.product(500).await).await;
    let settle = order.clone().settle(transaction(1), meta(20, Actor::Shop)).unwrap();
    let events = world.payment_events();
    assert!(!events.is_known("evt_1").await.unwrap());

    // What was judged on an older order is stale, and then the message is not dealt with either.
    let shipped = world.write(&order.ship(meta(15, Actor::Shop)).unwrap()).await;
    assert_eq!(events.apply("evt_1", &settle, at(21)).await.unwrap(), Applied::Conflict);
    assert!(!events.is_known("evt_1").await.unwrap());

    let settle = shipped.settle(transaction(1), meta(22, Actor::Shop)).unwrap();
    assert_eq!(events.apply("evt_1", &settle, at(22)).await.unwrap(), Applied::Written);
    assert!(events.is_known("evt_1").await.unwrap());
    assert!(world.order(settle.after.id).await.progress.payment.is_paid());
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_is_known_changes_no_order() {
    let world = World::fresh().await;
    let customer = world.person("buyer@example.com").await;
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
async fn fifty_copies_of_a_message_at_the_same_moment_settle_once() {
    let world = World::with_pool(8).await;
    let customer = world.person("buyer@example.com").await;
    let product = world.product(5_000).await;
    for round in 1..=10 {
        let order = world.fifty(&customer, &product).await;
        let settle = order.settle(transaction(round), meta(20, Actor::Shop)).unwrap();
        let outcomes = at_once(50, |_| {
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
async fn payments_that_settled_an_order_are_looked_at_in_turn_and_disagreements_are_counted() {
    let world = World::fresh().await;
    let (first, second) = (paid(&world, 1).await, paid(&world, 2).await);
    let cancelled_paid = paid(&world, 3).await;
    world.write(&cancelled_paid.cancel_paid(meta(30, Actor::Shop)).unwrap()).await;
    let payment_attempts = world.payment_attempts();

    let one = payment_attempts.lease_settled(WAITS, 1).await.unwrap();
    let other = payment_attempts.lease_settled(WAITS, 10).await.unwrap();
    assert_eq!((one.len(), other.len()), (1, 1), "what was called off is not looked at");
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
async fn a_payment_whose_order_was_called_off_since_is_no_disagreement_any_more() {
    let world = World::fresh().await;
    let order = paid(&world, 1).await;
    world.payment_attempts().note_agreement(&transaction(1), false).await.unwrap();
    assert_eq!(world.payment_attempts().disagreements().await.unwrap(), 1);
    // Nobody audits it again, so that nobody could take it back.
    let owing = world.write(&order.cancel_paid(meta(30, Actor::Shop)).unwrap()).await;
    assert_eq!(world.payment_attempts().disagreements().await.unwrap(), 0);
    world.write(&owing.refund(transaction(1), meta(31, Actor::Shop)).unwrap()).await;
    assert_eq!(world.payment_attempts().disagreements().await.unwrap(), 0);
}
