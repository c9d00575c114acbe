//! Tests of the invariant check itself: it finds each planted defect.

use domain::Actor;

use crate::world::{World, meta, transaction};

/// SQL that plants a defect, and a part of the sentence that it makes untrue. Planted with triggers and foreign keys
/// disabled. Where a CHECK or an index would refuse the defect, it is dropped first.
const DEFECTS: &[(&str, &str)] = &[
    ("UPDATE products SET available = available + 1", "the sum of its ledger"),
    (
        "ALTER TABLE products DROP CONSTRAINT products_available_check; UPDATE products SET available = -1",
        "no shelf holds less than nothing",
    ),
    ("DELETE FROM order_events WHERE kind = 'ordered'", "exactly one 'ordered' event"),
    ("DELETE FROM stock_ledger WHERE kind = 'ordered'", "took its units exactly once"),
    (
        "ALTER TABLE stock_ledger DROP CONSTRAINT stock_ledger_once_per_order;
        INSERT INTO stock_ledger (product_id, delta, kind, order_id, at)
            SELECT product_id, delta, kind, order_id, at FROM stock_ledger WHERE kind = 'ordered' LIMIT 1",
        "took its units exactly once",
    ),
    ("UPDATE stock_ledger SET delta = delta - 1 WHERE kind = 'ordered'", "took its units exactly once"),
    ("DELETE FROM stock_ledger WHERE kind = 'cancelled'", "returned its units exactly once"),
    (
        "INSERT INTO stock_ledger (product_id, delta, kind, order_id, at)
            SELECT product_id, quantity, 'cancelled', id, placed_at FROM orders WHERE cancelled_at IS NULL",
        "returned its units exactly once",
    ),
    (
        "UPDATE stock_ledger SET product_id = (SELECT max(id::text)::uuid FROM products WHERE id <> product_id)
            WHERE kind = 'ordered'",
        "about that order's product",
    ),
    (
        "ALTER TABLE orders DROP CONSTRAINT orders_payment_is_one_of_three;
        UPDATE orders SET transaction_id = NULL",
        "has a transaction",
    ),
    ("UPDATE order_events SET seq = seq + 1 WHERE seq > 1", "without a gap"),
    ("DELETE FROM order_events WHERE kind = 'paid'", "what its timeline says"),
    ("UPDATE orders SET transaction_id = 'pi_other' WHERE transaction_id IS NOT NULL", "what its timeline says"),
    (
        "DROP INDEX payment_intents_one_open;
        INSERT INTO payment_intents
            SELECT n || '-' || id, id, 1, now() FROM orders, (VALUES ('pi_8'), ('pi_9')) AS two (n)",
        "at most one open payment",
    ),
    ("UPDATE order_events SET order_id = gen_random_uuid() WHERE kind = 'paid'", "refers to one that exists"),
    ("UPDATE stock_ledger SET order_id = gen_random_uuid() WHERE kind = 'ordered'", "refers to one that exists"),
    ("UPDATE stock_ledger SET product_id = gen_random_uuid() WHERE kind = 'received'", "refers to one that exists"),
    ("UPDATE outbox SET event_id = gen_random_uuid() WHERE topic = 'order.paid'", "refers to one that exists"),
    ("UPDATE order_totals SET orders = orders + 1", "counts of orders by state"),
    ("UPDATE orders SET cancelled_at = NULL", "counts of orders by state"),
    ("UPDATE order_days SET orders = orders - 1", "counts of orders by day"),
    ("UPDATE revenue_days SET paid = paid + 1", "sums of revenue by day"),
    ("UPDATE account_totals SET accounts = accounts + 1", "counts of accounts"),
    ("DELETE FROM revenue_ledger", "sums of revenue by day"),
];

#[tokio::test(flavor = "multi_thread")]
async fn every_planted_defect_is_found() {
    for (defect, sentence) in DEFECTS {
        let world = World::fresh().await;
        let (customer, product) = (world.customer("customer@example.com").await, world.product(500).await);
        world.product(0).await;
        let paid = world.fifty(&customer, &product).await;
        world.write(&paid.settle(transaction(1), meta(20, Actor::Shop)).unwrap()).await;
        let cancelled = world.fifty(&customer, &product).await;
        world.write(&cancelled.cancel(meta(20, Actor::Shop)).unwrap()).await;
        world.fold().await;
        world.assert_sound();

        world.sql(&format!("SET session_replication_role = replica; {defect}"));

        let violated = testkit::invariants(world.url());
        assert!(violated.iter().any(|one| one.contains(sentence)), "{defect}: {violated:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_drift_view_names_the_product_whose_ledger_disagrees() {
    let world = World::fresh().await;
    world.product(500).await;
    assert_eq!(world.count("SELECT count(*) FROM stock_drift"), 0);
    let drifted = world.product(300).await;
    world.sql(&format!("UPDATE products SET available = 299 WHERE id = '{}'", drifted.id));
    assert_eq!(world.count("SELECT count(*) FROM stock_drift"), 1);
    assert_eq!(
        world.count(&format!("SELECT available - ledger FROM stock_drift WHERE product_id = '{}'", drifted.id)),
        -1
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn drift_is_found_a_part_of_the_products_at_a_time() {
    let world = World::fresh().await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(world.product(300).await.id);
    }
    ids.sort_by_key(|id| id.uuid());
    world.sql(&format!("UPDATE products SET available = 299 WHERE id IN ('{}', '{}')", ids[1], ids[4]));
    let (mut after, mut found) = (None, Vec::new());
    loop {
        let part = world.database.stock_drift(after, 2).await.unwrap();
        found.push(part.drifted);
        after = part.last;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(found, [1, 0, 1, 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_without_copies_says_so() {
    let world = World::fresh().await;
    assert_eq!(world.database.streaming_standbys().await.unwrap(), 0);
    assert_eq!(world.database.replica_health().await.unwrap(), persistence::ReplicaHealth::None);
}
