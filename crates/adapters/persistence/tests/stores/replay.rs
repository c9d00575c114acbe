//! An order's row and its timeline agree.

use domain::{Actor, Order};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::world::{World, actor, meta, transaction};

#[derive(Debug, Clone, Copy)]
enum Move {
    Cancel,
    CancelWithRefund,
    Ship,
    Settle,
    Refund,
}

#[tokio::test(flavor = "multi_thread")]
async fn after_any_sequence_of_changes_the_row_equals_the_replayed_timeline() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(1_000_000).await;
    let a_move = prop_oneof![
        Just(Move::Cancel),
        Just(Move::CancelWithRefund),
        Just(Move::Ship),
        Just(Move::Settle),
        Just(Move::Refund)
    ];
    let walks = proptest::collection::vec(a_move, 0..10);
    let mut runner = TestRunner::deterministic();
    let mut lengths = [0_u32; 5];
    for walk in 0..60_u128 {
        let moves = walks.new_tree(&mut runner).unwrap().current();
        let mut order = world.fifty(&customer, &product).await;
        for (second, a_move) in (20..).zip(&moves) {
            let meta = meta(second, if second % 2 == 0 { Actor::Shop } else { actor(&customer) });
            let before = order.clone();
            let change = match a_move {
                Move::Cancel => before.cancel(meta).ok(),
                Move::CancelWithRefund => before.cancel_with_refund(meta).ok(),
                Move::Ship => before.ship(meta).ok(),
                Move::Settle => before.settle(transaction(walk), meta).ok(),
                Move::Refund => before.refund(transaction(walk), meta).ok(),
            };
            if let Some(change) = change {
                order = world.write(&change).await;
            }
            let timeline = world.timeline(order.id).await;
            // Refunds have rows of their own, which the timeline does not show.
            let row = world.order(order.id).await;
            order.refunded = row.refunded;
            assert_eq!(row, order, "{moves:?}");
            let replayed = Order { refunded: order.refunded, ..Order::replay(&timeline).unwrap() };
            assert_eq!(replayed, order, "{moves:?}");
        }
        lengths[world.timeline(order.id).await.len()] += 1;
    }
    assert!(lengths[1..4].iter().all(|length| *length > 0), "the sequences changed too little: {lengths:?}");
    world.assert_sound();
}
