//! Query plans: no lookup of a single thing scans a growing table.

use std::collections::BTreeMap;
use std::time::Duration;

use diesel::prelude::{QueryableByName, RunQueryDsl as _};
use diesel::sql_types::{BigInt, Text};
use domain::notifications::delivery::DeliveryId;
use domain::{
    AccountId, AttemptSource, Category, CheckoutState, Day, DeviceId, LoginAttempt, NoteSubject, OrderId, ProductId,
    SessionId, WebhookSubscriptionId,
};
use ports::{
    AccountQuery, AccountSort, CheckoutQuery, CheckoutRepository, Counted, OrderFilter, OrderQuery, OrderRepository,
    OrderSort, Pagination, SalesPeriod, SecretHash, SortOrder,
};
use uuid::Uuid;

use crate::world::{World, at, concurrently, key, meta, new_order, transaction};

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::too_many_lines, reason = "a table of statements")]
async fn lookups_use_an_index() {
    // One connection, because its statistics are written when it closes.
    let world = World::with_pool(1).await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(500_000).await;
    let order = world.fifty(&customer, &product).await;
    grow(&world);
    grow_sales(&world);
    // What was read while the tables were tiny does not count.
    cut(&world).await;
    while world.database.ping().await.is_err() {}
    let before = scans(&world);

    world.orders().find(order.id).await.unwrap();
    world.orders().timeline(order.id).await.unwrap();
    world.orders_of(customer.id).await;
    let new = new_order(&customer, &product, 50, Some(key(9)));
    let placed = world.orders().place(&new).await.unwrap();
    world.orders().place(&new).await.unwrap();
    world.orders().placed_under(customer.id, key(9)).await.unwrap();
    world.write(&world.order(placed).await.cancel(meta(20, domain::Actor::Shop)).unwrap()).await;
    world.products().find(product.id).await.unwrap();
    world.products().matching("Ventilated brake disc", Category::Brakes, &product.details.img).await.unwrap();
    world.payment_attempts().open_for(domain::Payable::Order(order.id)).await.unwrap();
    world.payment_attempts().attempts(domain::Payable::Order(order.id)).await.unwrap();
    world.payment_attempts().find(&transaction(1)).await.unwrap();
    let waits =
        ports::Waits { share: 4, least: std::time::Duration::from_secs(5), most: std::time::Duration::from_hours(1) };
    world.payment_attempts().lease_due(waits, 10).await.unwrap();
    world.payment_attempts().lease_settled(waits, 10).await.unwrap();
    world.payment_attempts().undecided(order.id).await.unwrap();
    world.payment_attempts().disagreements().await.unwrap();
    world.orders().lease_lapsed(10).await.unwrap();
    world.orders().reserve(std::time::Duration::from_hours(24), 10).await.unwrap();
    world.orders().remind(10).await.unwrap();
    world.orders().overdue().await.unwrap();
    let few = ports::ReservationRules { most_new: Some(20), ..ports::ReservationRules::UNLIMITED };
    let counted = ports::NewOrder { reservations: few, ..new_order(&customer, &product, 50, None) };
    world.orders().place(&counted).await.unwrap();
    world.refunds().lease_due(10).await.unwrap();
    world.refunds().of_order(order.id).await.unwrap();
    let payment = ports::PaymentRef { id: transaction(1), order: order.id };
    world.refunds().disputes_of(&payment.id).await.unwrap();
    world.refunds().tally().await.unwrap();
    world.refunds().attention(10).await.unwrap();
    world.payment_events().is_known("evt_1").await.unwrap();
    world.payment_events().forget(at(-1), 9).await.unwrap();
    let topics = domain::notifications::delivery::Topic::ALL.to_vec();
    let lease = Duration::from_mins(1);
    let request = |queue| ports::LeaseRequest { queue, topics: topics.clone(), lease, limit: 10 };
    world.outbox().lease(&request(ports::Queue::Mail)).await.unwrap();
    world.outbox().lease(&request(ports::Queue::Webhook(WebhookSubscriptionId::new(Uuid::nil())))).await.unwrap();
    world.outbox().sent(DeliveryId::new(1), None).await.unwrap();
    world.outbox().discard_for_unknown_addresses(10).await.unwrap();
    world.outbox().requeue_all(None, 10).await.unwrap();
    world.outbox().forget(at(-1), at(-1), 9).await.unwrap();
    world.sessions().by_id(SessionId::new(Uuid::from_u128(1)), at(0)).await.unwrap();
    world.sessions().by_secret(&SecretHash([1; 32]), at(0)).await.unwrap();
    world.sessions().list(customer.id, at(0)).await.unwrap();
    world.sessions().forget(at(-1), 9).await.unwrap();
    world.ownership().abandoned_orders(None, 9).await.unwrap();
    world.ownership().sign_in_methods(customer.id).await.unwrap();
    world.outbox().backlog().await.unwrap();
    world.accounts().by_email(&customer.email).await.unwrap();
    world.ownership().forget(at(-1), 9).await.unwrap();
    let unknown = ports::GoogleSubject { issuer: "google".to_owned(), subject: "unknown".to_owned() };
    world.ownership().by_google(&unknown).await.unwrap();
    for by in [AttemptSource::Stranger, AttemptSource::Known(DeviceId([1; 16]))] {
        let from = std::net::Ipv4Addr::LOCALHOST.into();
        let login_attempt = LoginAttempt { email: customer.email.clone(), by, from, at: at(1) };
        world.login_attempts().retry_after(&login_attempt).await.unwrap();
        let Counted::Check(counted) = world.login_attempts().count(&login_attempt).await.unwrap() else {
            panic!("the attempt was refused")
        };
        world.login_attempts().forgive(counted).await.unwrap();
    }
    let limits: &dyn ports::SharedRateLimits = &world.database;
    let limit = ports::RateLimit { per_minute: 1, burst: 1 };
    let client = domain::ClientNetwork::of(std::net::Ipv4Addr::LOCALHOST.into());
    for _ in 0..2 {
        limits.count(ports::Limited::Emails, limit, client).await.unwrap();
    }
    limits.forget(9).await.unwrap();
    world.idempotency().forget(Duration::from_hours(24), Duration::from_hours(1), 9).await.unwrap();
    world.orders().find(OrderId::new(Uuid::nil())).await.unwrap();
    world.orders_of(AccountId::new(Uuid::nil())).await;
    world.products().find(ProductId::new(Uuid::nil())).await.unwrap();
    // A page of a list, without search or count, reads no more than that page.
    for sort in
        [OrderSort::Placed, OrderSort::Total].map(|by| [by(SortOrder::Ascending), by(SortOrder::Descending)]).concat()
    {
        let page_query = OrderQuery { sort, page: Pagination::batch(20, None), ..OrderQuery::default() };
        let page = world.orders().list(&page_query).await.unwrap();
        world.orders().list(&OrderQuery { page: Pagination::batch(20, page.next), ..page_query }).await.unwrap();
    }
    read_lists_of_one_customer(&world, &order).await;
    world.products().stock_history(product.id, 10).await.unwrap();
    for state in
        [OrderFilter::Waiting, OrderFilter::Unpaid, OrderFilter::Refunded, OrderFilter::Cancelled, OrderFilter::All]
    {
        let page_query = OrderQuery { state, page: Pagination::batch(20, None), ..OrderQuery::default() };
        world.orders().list(&page_query).await.unwrap();
    }
    read_periods(&world).await;
    read_sales(&world).await;
    // What is counted on a page is folded in already.
    world.orders().list(&OrderQuery { page: Pagination::first(20), ..OrderQuery::default() }).await.unwrap();
    // A search, common or not, walks an index for its page and for its count.
    for words in ["a", "a 1", "nobody at all", "%"] {
        for state in [OrderFilter::NotCancelled, OrderFilter::Waiting, OrderFilter::Unpaid, OrderFilter::All] {
            let search = Some(words.to_owned());
            let page = Pagination::first(20);
            let query = OrderQuery { search, state, page, counted_up_to: Some(100), ..OrderQuery::default() };
            world.orders().list(&query).await.unwrap();
        }
    }
    read_checkouts(&world, &order).await;
    let created = [SortOrder::Ascending, SortOrder::Descending].map(AccountSort::Created);
    for sort in created.into_iter().chain([AccountSort::Email, AccountSort::Spent]) {
        for search in [None, Some("a".to_owned()), Some("nobody at all".to_owned())] {
            let page = Pagination::first(20);
            let query = AccountQuery { search, sort, page, counted_up_to: Some(100), ..AccountQuery::default() };
            world.accounts().list(&query).await.unwrap();
        }
    }
    world.accounts().fold(10).await.unwrap();
    world.orders().states().await.unwrap();
    world.orders().fold(10).await.unwrap();
    world.orders().fold(10).await.unwrap();
    world.products().running_low(10).await.unwrap();

    cut(&world).await;
    let after = scans(&world);
    assert!(after.1 > before.1, "the statistics were not written, so they prove nothing");
    assert_eq!(after.0, before.0, "a query scanned a whole table");
}

/// Ends the pool's connections, and waits until all but its own are gone: a connection writes its statistics before it leaves
/// the list.
async fn cut(world: &World) {
    let others = "FROM pg_stat_activity
        WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
    world.sql(&format!("SELECT pg_terminate_backend(pid) {others} AND application_name = 'driveline'"));
    for _ in 0..300 {
        if world.count(&format!("SELECT count(*) {others}")) == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("a connection did not end within 30 s");
}

/// A customer's own lists and the paged lists.
async fn read_lists_of_one_customer(world: &World, order: &domain::Order) {
    for state in [OrderFilter::Cancelled, OrderFilter::Refunded, OrderFilter::NotCancelled] {
        let page_query = OrderQuery {
            customer: Some(order.customer),
            state,
            page: Pagination::batch(20, None),
            ..OrderQuery::default()
        };
        let page = world.orders().list(&page_query).await.unwrap();
        world.orders().list(&OrderQuery { page: Pagination::batch(20, page.next), ..page_query }).await.unwrap();
    }
    // The same for what is read together.
    let ids = [order.id, OrderId::new(Uuid::nil())];
    let found = concurrently(20, |n| {
        let (database, id) = (world.database.clone(), ids[n as usize % 2]);
        async move { OrderRepository::find(&database, id).await.unwrap().is_some() }
    });
    assert_eq!(found.await.into_iter().filter(|found| *found).count(), 10);
    world.orders().totals_of(order.customer).await.unwrap();
    world.notes().about(NoteSubject::Order(order.id), 9).await.unwrap();
    world.notes().about(NoteSubject::Customer(order.customer), 9).await.unwrap();
    world.orders().unpaid_with_total(order.customer, order.item.total, 2).await.unwrap();
    world.reviews().latest(3).await.unwrap();
    world.reviews().after(None, 3).await.unwrap();
    world.reviews().latest_of(order.item.product, 3).await.unwrap();
    world.reviews().rating_of(order.item.product).await.unwrap();
    world.reviews().hidden(3).await.unwrap();
    world.reviews().has_bought(order.customer, None).await.unwrap();
    world.reviews().has_bought(order.customer, Some(order.item.product)).await.unwrap();
}

/// Searches of checkouts, all and one customer's, and those that wait for a freight figure.
async fn read_checkouts(world: &World, order: &domain::Order) {
    let page = Pagination::first(20);
    let all = CheckoutQuery { page, counted_up_to: Some(100), ..CheckoutQuery::default() };
    for customer in [None, Some(order.customer)] {
        for words in ["po-4711", "p-1001", "a 1", "nobody at all", "%"] {
            let query = CheckoutQuery { customer, search: Some(words.to_owned()), ..all.clone() };
            CheckoutRepository::list(&world.database, &query).await.unwrap();
        }
        let waiting = CheckoutQuery { customer, state: Some(CheckoutState::Waiting), ..all.clone() };
        CheckoutRepository::list(&world.database, &waiting).await.unwrap();
    }
    CheckoutRepository::list(&world.database, &all).await.unwrap();
}

/// The orders of some days, with their count, in each state that the back office asks for.
async fn read_periods(world: &World) {
    let (from, to) = (Some(Day::of(at(-900_000))), Some(Day::of(at(-800_000))));
    for state in [
        OrderFilter::NotCancelled,
        OrderFilter::Ready,
        OrderFilter::Reserved,
        OrderFilter::Shipped,
        OrderFilter::Refunded,
        OrderFilter::Cancelled,
        OrderFilter::All,
    ] {
        let page = Pagination::first(20);
        let query = OrderQuery { state, from, to, page, counted_up_to: Some(100), ..OrderQuery::default() };
        world.orders().list(&query).await.unwrap();
    }
}

/// The figures of the overview, but for the unpaid orders: here, they are all of the table.
async fn read_sales(world: &World) {
    let (first, last) = (Day::of(at(-900_000)), Day::of(at(-800_000)));
    world.orders().sales(first, last).await.unwrap();
    let period = SalesPeriod::up_to(last, 3);
    world.sales().top_products(period, 5).await.unwrap();
    world.sales().top_customers(period, 5).await.unwrap();
    world.sales().conversion(period).await.unwrap();
}

/// Adds so many rows that a full scan is never the cheapest plan.
#[expect(clippy::too_many_lines, reason = "rows of every table")]
fn grow(world: &World) {
    world.sql(
        "SET session_replication_role = replica;
        INSERT INTO accounts (id, email, display_name, role, created_at, search_key)
            SELECT gen_random_uuid(), 'a' || n || '@example.com', 'A', 'customer', now(), 'a' FROM generate_series(1, 3000) n;
        INSERT INTO products OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(products, jsonb_build_object('id',
            gen_random_uuid(), 'no', 100000 + n, 'name', 'Part ' || n, 'name_key', 'part ' || n))).* FROM products, generate_series(1, 3000) n;
        INSERT INTO brands (name, name_key) SELECT 'A' || n, 'a' || n FROM generate_series(1, 3000) n;
        INSERT INTO part_types (name, name_key, category) SELECT 'A' || n, 'a' || n, 'BRAKES' FROM generate_series(1, 3000) n;
        INSERT INTO attributes (name, name_key, kind) SELECT 'A' || n, 'a' || n, 'number' FROM generate_series(1, 3000) n;
        INSERT INTO product_attributes (product_no, attribute_id, place, number)
            SELECT 100000 + n, n, 0, 1 FROM generate_series(1, 3000) n;
        INSERT INTO payment_shares SELECT 'shared-' || n, gen_random_uuid(), 1 FROM generate_series(1, 3000) n;
        INSERT INTO payment_intents (id, order_id, amount_cents, opened_at, closed_at, ended)
            SELECT 'shared-' || n, gen_random_uuid(), 1, now(), now(), 'cancelled' FROM generate_series(1, 3000) n;
        ANALYZE payment_shares, payment_intents;
        INSERT INTO product_pictures (product_no, place, img) SELECT 100000 + n, 1, '/a.webp' FROM generate_series(1, 3000) n;
        INSERT INTO orders SELECT (jsonb_populate_record(orders, jsonb_build_object('id', gen_random_uuid(), 'number', 100000 + n, 'buyer_id',
            gen_random_uuid(), 'product_id', gen_random_uuid()))).* FROM orders, generate_series(1, 3000) n;
        INSERT INTO checkouts (id, buyer_id, contact_name, contact_email, contact_phone, address, terms, goods_cents,
                shipping_cents, tax_cents, placed_at, search_key)
            SELECT gen_random_uuid(), gen_random_uuid(), 'A', 'a@example.com', '1', '{\"line1\": \"1 A\", \"city\": \"A\", \"region\": \"IL\", \"postcode\": \"62701\", \"country\": \"US\"}', 'card', 1, 0, 0, now(), 'a'
            FROM generate_series(1, 3000) n;
        INSERT INTO order_events SELECT (jsonb_populate_record(order_events, jsonb_build_object('id', gen_random_uuid(),
            'order_id', gen_random_uuid()))).* FROM order_events, generate_series(1, 3000) n;
        INSERT INTO stock_ledger (product_id, delta, kind, order_id, at)
            SELECT gen_random_uuid(), -50, 'ordered', gen_random_uuid(), now() FROM generate_series(1, 3000) n;
        INSERT INTO restockings (product_id, arriving, price_cents, at)
            SELECT gen_random_uuid(), 1, 1, now() FROM generate_series(1, 3000) n;
        INSERT INTO stock_corrections (product_id, delta, reason, at)
            SELECT gen_random_uuid(), 1, 'found', now() FROM generate_series(1, 3000) n;
        INSERT INTO payment_intents (id, order_id, amount_cents, opened_at, next_look_at)
            SELECT 'pi-' || n, gen_random_uuid(), 1, now(), now() + interval '1h' FROM generate_series(1, 30000) n;
        INSERT INTO refunds (id, order_id, payment_id, amount_cents, cause, state, attempt, created_at, changed_at)
            SELECT gen_random_uuid(), gen_random_uuid(), 'pi-' || n, 1, 'called_off', 'succeeded', 1, now(), now() FROM generate_series(1, 30000) n;
        INSERT INTO feeds (kind, mode, state, dry_run, once_key)
            SELECT 'stock', 'update', 'cancelled', true, sha256(('feed' || n)::bytea) FROM generate_series(1, 3000) n;
        INSERT INTO returns (id, order_id, reason, units, requested_at, state, decided_at, answer)
            SELECT gen_random_uuid(), gen_random_uuid(), 'damaged', 5, now(), 'declined', now(), 'No.' FROM generate_series(1, 3000);
        INSERT INTO disputes (id, order_id, payment_id, amount_cents, state, opened_at, changed_at)
            SELECT 'dp-' || n, gen_random_uuid(), 'pi-' || n, 1, 'won', now(), now() FROM generate_series(1, 3000) n;
        INSERT INTO revenue_ledger (order_id, kind, cents, at)
            SELECT gen_random_uuid(), 'payment', 1, now() FROM generate_series(1, 30000) n;
        INSERT INTO payment_events SELECT 'evt-' || n, now() FROM generate_series(1, 3000) n;
        INSERT INTO sessions SELECT gen_random_uuid(), gen_random_uuid(), sha256(n::text::bytea), now(),
            now() + interval '1h' FROM generate_series(1, 3000) n;
        INSERT INTO login_guesses (email, from_address, at, device)
            SELECT 'a' || n || '@example.com', '2001:db8:' || to_hex(n) || '::/64', now(),
                CASE WHEN n % 2 = 0 THEN substr(sha256(n::text::bytea), 1, 16) END
            FROM generate_series(1, 6000) n;
        INSERT INTO rate_limits (client, limited, spent_until)
            SELECT '2001:db8:' || to_hex(n) || '::/64', 'emails', now() + interval '1h' FROM generate_series(1, 6000) n;
        INSERT INTO reviews (id, account_id, name, details, rating, created_at)
            SELECT gen_random_uuid(), gen_random_uuid(), 'A', 'B', 5, now() FROM generate_series(1, 3000) n;
        INSERT INTO notes (id, order_id, account_id, author_id, author_email, text, created_at)
            SELECT gen_random_uuid(), CASE WHEN n % 2 = 0 THEN gen_random_uuid() END,
                CASE WHEN n % 2 = 1 THEN gen_random_uuid() END, gen_random_uuid(), 'a@example.com', 'A', now()
            FROM generate_series(1, 6000) n;
        INSERT INTO answers SELECT sha256(n::text::bytea), sha256('a'), gen_random_uuid(), now()
            FROM generate_series(1, 3000) n;
        INSERT INTO outbox (channel, topic, email, created_at, due_at, state, sent_at)
            SELECT 'mail', 'account.verify', 'a' || n || '@example.com', now(), now(), 'sent', now()
            FROM generate_series(1, 30000) n;
        INSERT INTO outbox (channel, topic, email, created_at, due_at)
            SELECT 'mail', 'account.verify', 'a' || n || '@example.com', now(), now() FROM generate_series(1, 3000) n;
        INSERT INTO webhook_endpoints (id, url, topics, created_at, removed_at)
            SELECT gen_random_uuid(), 'https://erp.example.com/' || n, '{order.paid}', now(), now()
            FROM generate_series(1, 3000) n;
        INSERT INTO google_sign_ins
                (outbox_id, email, issuer, subject, destination, browser_hash, made_at, expires_at)
            SELECT n, 'a' || n || '@example.com', 'google', n, '/', sha256(n::text::bytea), now(), now() + interval '1h'
            FROM generate_series(1, 30000) n;
        UPDATE rollups SET folded_to = CASE name WHEN 'orders' THEN (SELECT max(number) FROM orders)
            ELSE (SELECT max(id) FROM revenue_ledger) END;
        INSERT INTO order_days SELECT current_date - n, 1 FROM generate_series(1, 3000) n;
        INSERT INTO revenue_days SELECT current_date - n, 1, 0 FROM generate_series(1, 3000) n;
        INSERT INTO unconfirmed_mail SELECT n, 'a' || n || '@example.com', now() FROM generate_series(1, 30000) n;
        ANALYZE",
    );
}

/// The same of the rollups of sales.
fn grow_sales(world: &World) {
    world.sql(
        "SET session_replication_role = replica;
        INSERT INTO customer_totals (account_id) SELECT id FROM accounts UNION SELECT buyer_id FROM orders
            ON CONFLICT DO NOTHING;
        INSERT INTO product_sales SELECT date '2020-01-01' + n, gen_random_uuid(), 1, 50, 5000 FROM generate_series(1, 3000) n;
        INSERT INTO customer_sales SELECT date '2020-01-01' + n, gen_random_uuid(), 1, 5000 FROM generate_series(1, 3000) n;
        INSERT INTO placed_days SELECT date '2020-01-01' + n, 1, 1 FROM generate_series(1, 3000) n;
        UPDATE sales_rollups SET folded_to = CASE name WHEN 'placed' THEN (SELECT max(number) FROM orders)
            ELSE (SELECT max(id) FROM revenue_ledger) END;
        ANALYZE customer_totals, product_sales, customer_sales, placed_days",
    );
}

/// How often a table was read so far.
#[derive(QueryableByName)]
struct Reads {
    #[diesel(sql_type = Text)]
    relname: String,
    #[diesel(sql_type = BigInt)]
    whole: i64,
    #[diesel(sql_type = BigInt)]
    by_index: i64,
}

/// Each table's whole reads, and the reads by index of all tables.
fn scans(world: &World) -> (BTreeMap<String, i64>, i64) {
    let reads: Vec<Reads> = diesel::sql_query(
        "SELECT relname::text, seq_scan AS whole, coalesce(idx_scan, 0) AS by_index FROM pg_stat_user_tables
        WHERE relname NOT IN ('newsletter', 'account_changes', 'account_totals', 'order_changes', 'order_totals', 'rollups',
            'sales_rollups', 'catalogue_followers', 'price_epoch')",
    )
    .load(&mut world.raw())
    .unwrap();
    let by_index = reads.iter().map(|table| table.by_index).sum();
    (reads.into_iter().map(|table| (table.relname, table.whole)).collect(), by_index)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_audit_reads_only_what_it_checks_however_many_payments_were_cancelled() {
    let world = World::with_pool(1).await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(500_000).await;
    let order = world.fifty(&customer, &product).await;
    world.write(&order.settle(transaction(1), meta(20, domain::Actor::Shop)).unwrap()).await;
    world.sql(
        "SET session_replication_role = replica;
        INSERT INTO payment_intents (id, order_id, amount_cents, opened_at, closed_at, ended)
            SELECT 'pi-' || n, gen_random_uuid(), 1, now(), now(), 'cancelled' FROM generate_series(1, 100000) n;
        ANALYZE",
    );
    let waits =
        ports::Waits { share: 4, least: std::time::Duration::from_mins(10), most: std::time::Duration::from_hours(22) };
    assert_eq!(world.payment_attempts().lease_settled(waits, 50).await.unwrap().len(), 1);
    let begun = std::time::Instant::now();
    for _ in 0..20 {
        assert_eq!(world.payment_attempts().lease_settled(waits, 50).await.unwrap(), []);
    }
    // Reading all of them takes more than a second, twenty times.
    assert!(begun.elapsed() < std::time::Duration::from_secs(2), "{:?}", begun.elapsed());
    let touched = "SELECT coalesce(sum(idx_tup_fetch + seq_tup_read), 0) FROM pg_stat_xact_user_tables
        WHERE relname = 'payment_intents'";
    assert_eq!(world.count(touched), 0);
}
