//! Tests of the invariant check itself: it finds each planted defect.

use diesel::connection::SimpleConnection;
use domain::Actor;

use crate::world::{World, meta, transaction};

/// SQL that plants a defect, and a part of the one sentence that it makes untrue. Planted with triggers and foreign keys
/// disabled. Where a CHECK or an index would refuse the defect, it is dropped first.
const DEFECTS: &[(&str, &str)] = &[
    ("UPDATE products SET available = available + 1", "the sum of its ledger"),
    (
        "ALTER TABLE products DROP CONSTRAINT products_available_check; UPDATE products SET available = -1",
        "no shelf holds less than nothing",
    ),
    (
        "ALTER TABLE orders DROP CONSTRAINT orders_total_adds_up; UPDATE orders SET total_cents = total_cents + 1",
        "costs its units at their price",
    ),
    (
        "ALTER TABLE orders DROP CONSTRAINT orders_tax_fits; UPDATE orders SET tax_cents = -1",
        "costs its units at their price",
    ),
    (
        "ALTER TABLE orders DROP CONSTRAINT orders_shipping_fits; UPDATE orders SET shipping_cents = -1",
        "costs its units at their price",
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
    ("UPDATE order_events SET seq = seq + 10 WHERE seq > 1", "a timeline is numbered"),
    ("DELETE FROM order_events WHERE kind = 'paid'", "what its timeline says"),
    ("UPDATE orders SET transaction_id = transaction_id || '_other'", "what its timeline says"),
    (
        "UPDATE orders SET unit_price_cents = unit_price_cents * 2, total_cents = total_cents * 2 WHERE payment_state = 'unpaid'",
        "at the price, that were ordered",
    ),
    ("UPDATE orders SET contact_email = 'else@example.com'", "at the price, that were ordered"),
    (
        "UPDATE orders SET transaction_id = transaction_id || '_other';
        UPDATE order_events SET data = jsonb_set(data, '{transaction}', to_jsonb(data ->> 'transaction' || '_other'))
            WHERE data ? 'transaction'",
        "what paid for an order",
    ),
    ("UPDATE orders SET shipped_units = shipped_units - 1 WHERE shipped_units > 0", "an order's shipments"),
    ("UPDATE shipments SET units = units + 1", "an order's shipments"),
    (
        "UPDATE orders SET fulfilment = 'pending', shipped_at = NULL WHERE fulfilment = 'shipped'",
        "an order's shipments",
    ),
    (
        "DROP INDEX payment_intents_one_open;
        INSERT INTO payment_intents
            SELECT n || '-' || id, id, 1, now() FROM orders, (VALUES ('pi_8'), ('pi_9')) AS two (n)",
        "at most one open payment",
    ),
    (
        "UPDATE payment_intents SET closed_at = NULL WHERE checkout_id IS NOT NULL;
        INSERT INTO payment_intents
            SELECT 'pi_9-' || id, id, 1, now() FROM orders WHERE checkout_id IS NOT NULL",
        "at most one open payment",
    ),
    (
        "INSERT INTO payment_intents (id, order_id, amount_cents, opened_at, closed_at, ended)
            SELECT 'pi_9-' || id, id, 1, now(), now(), 'settled' FROM orders",
        "a payment that settled is the transaction",
    ),
    (
        "UPDATE payment_intents SET order_id = (SELECT id FROM orders WHERE id <> order_id LIMIT 1)
            WHERE order_id IS NOT NULL",
        "a payment that settled is the transaction",
    ),
    ("DELETE FROM payment_shares", "a payment that settled is the transaction"),
    ("DELETE FROM refunds WHERE cause = 'late'", "a payment that settled is the transaction"),
    ("UPDATE payment_intents SET ended = 'cancelled'", "a payment that settled is the transaction"),
    (
        "INSERT INTO payment_intents (id, order_id, checkout_id, amount_cents, opened_at, closed_at, ended)
            SELECT id || '_again', order_id, checkout_id, amount_cents, opened_at, closed_at, ended FROM payment_intents",
        "at most one payment that settled it",
    ),
    ("UPDATE payment_intents SET amount_cents = amount_cents - 1", "pays only for what it was opened for"),
    ("UPDATE payment_shares SET cents = cents - 1", "pays only for what it was opened for"),
    (
        "UPDATE payment_intents SET order_id = (SELECT id FROM orders WHERE id <> order_id LIMIT 1)
            WHERE order_id IS NOT NULL",
        "pays only for what it was opened for",
    ),
    ("UPDATE payment_shares SET cents = cents + 1", "the shares of a checkout's payment"),
    ("DELETE FROM payment_shares", "the shares of a checkout's payment"),
    ("UPDATE checkouts SET goods_cents = goods_cents + 1", "a checkout has at least two lines"),
    ("UPDATE checkouts SET shipping_cents = shipping_cents + 1", "a checkout has at least two lines"),
    ("UPDATE checkouts SET tax_cents = tax_cents + 1", "a checkout has at least two lines"),
    ("UPDATE orders SET awaits_freight = true WHERE line = 1", "a checkout has at least two lines"),
    ("UPDATE orders SET checkout_id = NULL, line = NULL WHERE line = 2", "a checkout has at least two lines"),
    ("UPDATE refunds SET amount_cents = 99999999999999", "no more of an order is refunded"),
    ("UPDATE orders SET refunded_cents = refunded_cents + 1", "says how much of its payment went back"),
    ("UPDATE refunds SET state = 'failed'", "says how much of its payment went back"),
    (
        "UPDATE orders SET cancelled_at = now() WHERE payment_state = 'paid' AND fulfilment = 'pending'",
        "an order that owes money",
    ),
    ("UPDATE revenue_ledger SET cents = cents + 1", "the daily revenue"),
    ("DELETE FROM revenue_ledger WHERE kind = 'refund'", "the daily revenue"),
    ("UPDATE order_events SET order_id = gen_random_uuid() WHERE kind = 'paid'", "refers to one that exists"),
    ("UPDATE stock_ledger SET order_id = gen_random_uuid() WHERE kind = 'ordered'", "refers to one that exists"),
    ("UPDATE stock_ledger SET product_id = gen_random_uuid() WHERE kind = 'received'", "refers to one that exists"),
    ("UPDATE outbox SET event_id = gen_random_uuid() WHERE topic = 'order.paid'", "refers to one that exists"),
    (
        "UPDATE outbox SET checkout_id = gen_random_uuid() WHERE topic = 'checkout.paid'",
        "refers to one that exists",
    ),
    ("UPDATE order_totals SET orders = orders + 1", "counts of orders by state"),
    ("UPDATE orders SET cancelled_at = NULL WHERE payment_state = 'unpaid'", "counts of orders by state"),
    ("UPDATE order_days SET orders = orders - 1", "counts of orders by day"),
    ("UPDATE revenue_days SET paid = paid + 1", "sums of revenue by day"),
    ("DELETE FROM revenue_ledger", "sums of revenue by day"),
    ("UPDATE placed_days SET placed = placed + 1", "counts of placed and paid orders by day"),
    ("UPDATE placed_days SET paid = paid - 1", "counts of placed and paid orders by day"),
    ("UPDATE product_sales SET orders = orders + 1", "the sales of products"),
    ("UPDATE product_sales SET units = units + 1", "the sales of products"),
    ("UPDATE product_sales SET cents = cents - 1", "the sales of products"),
    ("UPDATE customer_sales SET orders = orders + 1", "the sales to customers"),
    ("UPDATE customer_sales SET cents = cents - 1", "the sales to customers"),
    ("UPDATE customer_totals SET orders = orders + 1", "every account has its totals"),
    ("UPDATE customer_totals SET spent_cents = spent_cents - 1", "every account has its totals"),
    (
        "INSERT INTO accounts (id, email, display_name, role, created_at, search_key)
            VALUES (gen_random_uuid(), 'nobody@example.com', 'Nobody', 'customer', now(), 'nobody')",
        "every account has its totals",
    ),
    ("UPDATE account_totals SET accounts = accounts + 1", "counts of accounts"),
    ("DELETE FROM stock_ledger WHERE kind = 'returned'", "an accepted return that goes back to stock"),
    ("UPDATE returns SET restocked = false", "an accepted return that goes back to stock"),
    ("UPDATE returns SET units = units + 1", "an accepted return that goes back to stock"),
    ("UPDATE returns SET units = 51", "no more of an order is returned"),
    ("DELETE FROM order_events WHERE kind = 'return_accepted'", "no more of an order is returned"),
    (
        "UPDATE outbox SET email = 'somebody.else@example.com' WHERE topic = 'order.paid' AND channel = 'mail'",
        "a delivery about an order",
    ),
    ("UPDATE outbox SET topic = 'order.shipped' WHERE topic = 'order.paid'", "a delivery about an order"),
    (
        "UPDATE outbox SET order_id = (SELECT max(id::text)::uuid FROM orders WHERE id <> order_id)
            WHERE topic = 'order.paid'",
        "a delivery about an order",
    ),
    (
        "UPDATE orders SET payment_state = 'unpaid', transaction_id = NULL, paid_at = NULL WHERE line = 1",
        "a webhook says that a checkout is paid",
    ),
    ("UPDATE invoice_series SET last = last + 1", "the documents of a series"),
    ("DELETE FROM invoices WHERE number = 1", "the documents of a series"),
    ("UPDATE invoices SET number = number + 10", "the documents of a series"),
    ("DELETE FROM invoice_orders", "an order that was paid, or shipped on account"),
    ("UPDATE invoices SET total_cents = total_cents + 1", "a document comes to what its lines do"),
    ("UPDATE invoices SET data = jsonb_set(data, '{taxCents}', '1')", "a document comes to what its lines do"),
    ("UPDATE invoices SET data = jsonb_set(data, '{lines,0,quantity}', '7')", "a document comes to what its lines do"),
    ("UPDATE orders SET shipping_cents = shipping_cents + 1", "a document comes to what its lines do"),
    ("UPDATE invoices SET total_cents = 99999999999999 WHERE kind = 'credit'", "no more of an order is credited"),
    (
        "UPDATE invoices SET data = jsonb_set(data, '{taxCents}', '1') WHERE kind = 'credit'",
        "no more of an order is credited",
    ),
    ("DELETE FROM invoices WHERE kind = 'credit'", "what went back of an invoiced payment"),
    ("UPDATE accounts SET password_hash = 'a long walk home'", "only the hash is kept"),
    ("UPDATE orders SET once_fingerprint = 'a whole request'", "only the hash is kept"),
    ("UPDATE webhook_endpoints SET secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'", "only the hash is kept"),
    (
        "UPDATE order_events SET data = data || '{\"payment\": \"pi_1_secret_2\"}' WHERE kind = 'paid'",
        "no secret is in a timeline",
    ),
    ("UPDATE outbox SET last_error = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'", "no secret is in a timeline"),
    (
        "INSERT INTO audit_entries (number, at, account_id, email, operation, method, route, kind, change, after,
                client_address, request_id, previous, hash)
            SELECT 1, now(), id, email, 'changeRole', 'PATCH', '/', 'account', 'changed', to_jsonb(accounts)::text,
                '127.0.0.1', 'r', sha256('0'), sha256('1') FROM accounts LIMIT 1",
        "no secret is in a timeline",
    ),
];

/// The sentences that a part of one stands for.
fn sentences_with(part: &str) -> Vec<&'static str> {
    testkit::invariant_sentences().filter(|sentence| sentence.contains(part)).collect()
}

#[test]
fn every_sentence_has_a_planted_defect() {
    for (_, part) in DEFECTS {
        assert_eq!(sentences_with(part).len(), 1, "{part}");
    }
    let named: Vec<_> = DEFECTS.iter().flat_map(|(_, part)| sentences_with(part)).collect();
    let missing: Vec<_> = testkit::invariant_sentences().filter(|sentence| !named.contains(sentence)).collect();
    assert_eq!(missing, Vec::<&str>::new());
}

/// A shop that has a row of every kind that a sentence is about.
async fn shop_of_every_kind() -> World {
    let world = World::fresh().await;
    let (customer, product) = (world.customer("customer@example.com").await, world.product(500).await);
    world.product(0).await;
    let paid = world.fifty(&customer, &product).await;
    world.write(&paid.settle(transaction(1), meta(20, Actor::Shop)).unwrap()).await;
    let cancelled = world.fifty(&customer, &product).await;
    world.write(&cancelled.cancel(meta(20, Actor::Shop)).unwrap()).await;
    world.sql(include_str!("every_kind_of_row.sql"));
    world.fold().await;
    world
}

#[tokio::test(flavor = "multi_thread")]
async fn every_planted_defect_is_found() {
    let world = shop_of_every_kind().await;
    world.assert_sound();
    let mut connection = world.raw();
    for (defect, part) in DEFECTS {
        let planted =
            connection.batch_execute(&format!("BEGIN; SET LOCAL session_replication_role = replica; {defect}"));
        planted.unwrap_or_else(|error| panic!("{defect}: {error}"));
        let violated = testkit::invariants_on(&mut connection);
        connection.batch_execute("ROLLBACK").unwrap();

        let is_found = sentences_with(part).iter().any(|sentence| violated.iter().any(|one| one.starts_with(sentence)));
        assert!(is_found, "{defect}, so that {part}: {violated:?}");
    }
    world.assert_sound();
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
