//! What the database refuses on its own: every statement in this file bypasses our code.

use domain::{Actor, Order};

use crate::world::{World, at, meta, transaction};

async fn shop() -> (World, Order) {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let order = world.fifty(&customer, &world.product(500).await).await;
    (world, order)
}

#[tokio::test(flavor = "multi_thread")]
async fn products_keep_their_bounds() {
    let (world, _) = shop().await;
    for (set, by) in [
        ("available = -1", "products_available_check"),
        ("available = 1000000001", "products_available_check"),
        ("price_cents = 0", "products_price_cents_check"),
        ("price_cents = 1000000000", "products_price_cents_check"),
        ("min_order = 49", "products_min_order_check"),
        ("category = 'brakes'", "products_category_check"),
        ("name = ''", "products_name_check"),
        ("once_key = 'short'", "products_once_key_check"),
    ] {
        world.refuses(&format!("UPDATE products SET {set}"), by);
    }
    world.refuses("DELETE FROM products", "set archived_at");
    world.refuses("TRUNCATE products CASCADE", "refused");
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_cannot_have_an_invalid_state() {
    let (world, _) = shop().await;
    let paid = "payment_state = 'paid', transaction_id = 'pi_1', paid_at = now()";
    let payment = "orders_payment_is_one_of_three";
    for (set, by) in [
        ("payment_state = 'free'", payment),
        ("payment_state = 'paid'", payment),
        ("payment_state = 'paid', transaction_id = 'pi_1'", payment),
        ("payment_state = 'paid', paid_at = now()", payment),
        ("payment_state = 'refunded', transaction_id = 'pi_1', paid_at = now(), cancelled_at = now()", payment),
        ("transaction_id = 'pi_1'", payment),
        ("fulfilment = 'shipped'", "orders_fulfilment_is_one_of_two"),
        ("shipped_at = now()", "orders_fulfilment_is_one_of_two"),
        ("fulfilment = 'lost'", "orders_fulfilment_is_one_of_two"),
        ("fulfilment = 'shipped', shipped_at = now(), cancelled_at = now()", "orders_cancelled_not_shipped"),
        (
            &format!("{paid}, fulfilment = 'shipped', shipped_at = now(), cancelled_at = now()"),
            "orders_cancelled_not_shipped",
        ),
        ("payment_state = 'refunded', transaction_id = 'pi_1', refunded_at = now()", "orders_refunded_only_if_over"),
    ] {
        world.refuses(&format!("UPDATE orders SET {set}"), by);
    }
    world.refuses("UPDATE orders SET vehicle = '[]'", "orders_vehicle_check");
    world.sql(&format!("UPDATE orders SET {paid}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_orders_snapshot_never_changes() {
    let (world, order) = shop().await;
    for column in
        ["quantity = 60", "total_cents = 1", "unit_price_cents = 1", "contact_email = 'a@b.co'", "once_key = NULL"]
    {
        world.refuses(&format!("UPDATE orders SET {column}"), "is a snapshot");
    }
    let copy = |quantity: &str, total: &str| {
        format!(
            "INSERT INTO orders (id, buyer_id, contact_name, contact_email, contact_phone, contact_address, product_id,
                product_name, category, details, img, unit_price_cents, quantity, total_cents, placed_at, search_key)
            SELECT gen_random_uuid(), buyer_id, contact_name, contact_email, contact_phone, contact_address, product_id,
                product_name, category, details, img, unit_price_cents, {quantity}, {total}, placed_at, search_key
            FROM orders WHERE id = '{}'",
            order.id
        )
    };
    world.refuses(&copy("49", "unit_price_cents * 49"), "orders_quantity_check");
    world.refuses(&copy("50", "unit_price_cents * 50 + 1"), "orders_total_adds_up");
    world.sql(&copy("51", "unit_price_cents * 51"));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_order_can_be_deleted_paid_or_not() {
    let (world, order) = shop().await;
    world.refuses("DELETE FROM orders", "never deleted");
    world.write(&order.settle(transaction(1), meta(20, Actor::Shop)).unwrap()).await;
    world.refuses("DELETE FROM orders", "never deleted");
    world.refuses("TRUNCATE orders CASCADE", "refused");
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_settles_one_order() {
    let (world, order) = shop().await;
    let product = world.product(500).await;
    let customer = world.accounts().find(order.customer).await.unwrap().unwrap();
    let other = world.fifty(&customer, &product).await;
    world.write(&order.settle(transaction(1), meta(20, Actor::Shop)).unwrap()).await;
    let set = "payment_state = 'paid', transaction_id = 'pi_1', paid_at = now()";
    world.refuses(&format!("UPDATE orders SET {set} WHERE id = '{}'", other.id), "orders_paid_alone");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_timeline_and_the_ledger_are_append_only() {
    let (world, _) = shop().await;
    world
        .products()
        .restock(&ports::Restocking {
            product: world.products().list(&ports::ProductQuery::default()).await.unwrap().items[0].id,
            arriving: domain::Stock::new(1).unwrap(),
            price: crate::world::price(12_999),
            seen_price: None,
            by: Actor::Shop,
            at: at(20),
            idempotency_key: None,
        })
        .await
        .unwrap();
    for (table, set) in
        [("order_events", "at = now()"), ("stock_ledger", "delta = delta"), ("restockings", "at = now()")]
    {
        world.refuses(&format!("UPDATE {table} SET {set}"), "append-only");
        world.refuses(&format!("DELETE FROM {table}"), "append-only");
        world.refuses(&format!("TRUNCATE {table} CASCADE"), "append-only");
    }
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_timeline_begins_once_and_its_numbers_are_unique() {
    let (world, order) = shop().await;
    let event = |seq: i32, kind: &str, data: &str| {
        format!(
            "INSERT INTO order_events (id, order_id, seq, kind, data, at)
            VALUES (gen_random_uuid(), '{}', {seq}, '{kind}', '{data}', now())",
            order.id
        )
    };
    world.refuses(&event(1, "ordered", "{}"), "order_events_o");
    world.refuses(&event(2, "ordered", "{}"), "order_events_begin_with_the_order");
    world.refuses(&event(1, "paid", "{}"), "order_events_begin_with_the_order");
    world.refuses(&event(2, "Lost!", "{}"), "order_events_kind_check");
    world.refuses(&event(2, "paid", "[]"), "order_events_data_check");
    world.sql(&event(2, "paid", "{}"));
    world.refuses(&event(2, "shipped", "{}"), "order_events_order_id_seq_key");
    world.refuses(&event(3, "paid", "{}"), "order_events_once");
}

#[tokio::test(flavor = "multi_thread")]
async fn ledger_entries_make_sense_and_an_order_has_one_of_each_kind() {
    let (world, order) = shop().await;
    let entry = |delta: i32, kind: &str, of_order: bool| {
        let id = if of_order { format!("'{}'", order.id) } else { "NULL".to_owned() };
        format!(
            "INSERT INTO stock_ledger (product_id, delta, kind, order_id, at)
            VALUES ('{}', {delta}, '{kind}', {id}, now())",
            order.item.product
        )
    };
    let sense = "stock_ledger_entry_makes_sense";
    for (delta, kind, of_order) in [
        (0, "received", false),
        (-1, "received", false),
        (1, "received", true),
        (1, "ordered", true),
        (-1, "ordered", false),
        (-1, "cancelled", true),
        (1, "cancelled", false),
        (1, "found", false),
    ] {
        world.refuses(&entry(delta, kind, of_order), sense);
    }
    world.refuses(&entry(-50, "ordered", true), "stock_ledger_once_per_order");
    world.sql(&entry(50, "cancelled", true));
    world.refuses(&entry(50, "cancelled", true), "stock_ledger_once_per_order");
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_sessions_and_profiles_keep_their_constraints() {
    let (world, order) = shop().await;
    let customer = order.customer;
    world.refuses("UPDATE accounts SET email = 'Customer@example.com'", "accounts_email_check");
    world.refuses("UPDATE accounts SET role = 'owner'", "accounts_role_check");
    world.refuses("DELETE FROM accounts", "set removed_at");
    world.refuses(
        &format!(
            "INSERT INTO sessions VALUES (gen_random_uuid(), '{customer}', 'short', now(), now() + interval '1h')"
        ),
        "sessions_secret_hash_check",
    );
    world.refuses(
        &format!("INSERT INTO sessions VALUES (gen_random_uuid(), '{customer}', sha256('a'), now(), now())"),
        "sessions_check",
    );
    for (rating, by) in [(-1, "reviews_rating_check"), (6, "reviews_rating_check")] {
        let review = format!("INSERT INTO reviews VALUES (gen_random_uuid(), '{customer}', 'n', 'd', {rating}, now())");
        world.refuses(&review, by);
    }
    let long = format!("INSERT INTO reviews VALUES (gen_random_uuid(), '{customer}', repeat('n', 81), 'd', 5, now())");
    world.refuses(&long, "reviews_name_check");
    world.sql(&format!("INSERT INTO reviews VALUES (gen_random_uuid(), '{customer}', 'n', 'd', 5, now())"));
    let part = order.item.product;
    for (set, by) in [
        (format!("product_id = '{part}'"), "reviews_part_is_whole"),
        ("product_name = 'Disc'".to_owned(), "reviews_part_is_whole"),
        ("part_number = 'D-1'".to_owned(), "reviews_part_is_whole"),
        ("product_id = gen_random_uuid(), product_name = 'Disc'".to_owned(), "reviews_product_id_fkey"),
        (format!("product_id = '{part}', product_name = repeat('n', 201)"), "reviews_product_name_fits"),
        (format!("product_id = '{part}', product_name = 'Disc', part_number = ''"), "reviews_part_number_fits"),
        ("author = ''".to_owned(), "reviews_author_fits"),
    ] {
        world.refuses(&format!("UPDATE reviews SET {set}"), by);
    }
    let script =
        format!("INSERT INTO profiles (account_id, github, saved_at) VALUES ('{customer}', 'javascript:1', now())");
    world.refuses(&script, "profiles_github_check");
    let intent = |n: u8| format!("INSERT INTO payment_intents VALUES ('pi_{n}', '{}', 1, now())", order.id);
    world.sql(&intent(1));
    world.refuses(&intent(2), "payment_intents_one_open");
}
