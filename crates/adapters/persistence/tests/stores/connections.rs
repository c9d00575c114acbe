//! Behaviour when the database is slow, busy or unavailable.

use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use domain::orders::refusals::PlaceRefused;
use persistence::Database;
use ports::{NewsletterRepository, OrderRepository, PlaceError, ProductRepository, StoreError};

use crate::world::{World, at, new_order, product};

fn is_unavailable<T>(outcome: &Result<T, StoreError>) -> bool {
    matches!(outcome, Err(StoreError::Unavailable(_)))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_connection_is_reported_in_time_with_the_servers_cause() {
    let started = Instant::now();
    // Nothing listens on port 1.
    let refused = Database::connect("postgres://nobody@127.0.0.1:1/nothing", 2, Duration::from_millis(300)).await;
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    let Err(StoreError::Unavailable(cause)) = refused else { panic!("{refused:?}") };
    assert!(cause.to_string().contains("refused"), "{cause}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_accepts_and_stays_silent_is_reported_in_time() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("postgres://nobody@{}/nothing", silent.local_addr().unwrap());
    let started = Instant::now();
    let refused = Database::connect(&url, 2, Duration::from_millis(300)).await;
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    assert!(is_unavailable(&refused), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn after_all_connections_are_cut_at_most_one_request_fails() {
    let world = World::with_pool(6).await;
    let product = world.product(500).await;
    for round in 0..3 {
        // A connection that is opened only after the cut would serve every request, and the test would prove nothing.
        for _ in 0..250 {
            if world.database.connections() == (6, 6) {
                break;
            }
            // The pool opens a connection when all others are in use.
            let (products, orders) = (world.products(), world.orders());
            let _ = tokio::join!(
                products.running_low(1),
                products.running_low(1),
                products.find_all(&[], false),
                products.find_all(&[], false),
                orders.overdue(),
                world.database.ping(),
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(world.database.connections(), (6, 6), "round {round}");
        world.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'driveline'",
        );
        // pg_terminate_backend only signals the backends; wait until they are gone.
        let alive = "SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'driveline'";
        for _ in 0..100 {
            if world.count(alive) == 0 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let mut failed = 0;
        for _ in 0..12 {
            let outcome = world.products().find(product.id).await;
            assert!(outcome.is_ok() || is_unavailable(&outcome), "round {round}: {outcome:?}");
            failed += usize::from(outcome.is_err());
        }
        assert!(failed <= 1, "round {round}: {failed} of 12 failed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_waits_too_long_for_a_lock_is_unavailable_and_changes_nothing() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(500).await;
    let mut holder = world.raw();
    holder.batch_execute("BEGIN; SELECT * FROM products FOR UPDATE").unwrap();
    let started = Instant::now();
    let outcome = world.place(&customer, &product, 50).await;
    assert!(matches!(outcome, Err(PlaceError::Store(StoreError::Unavailable(_)))), "{outcome:?}");
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    holder.batch_execute("ROLLBACK").unwrap();
    assert_eq!(world.stock_of(product.id).await, 500);
    world.place(&customer, &product, 50).await.unwrap();
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_finds_every_connection_busy_fails_after_three_seconds() {
    let world = World::with_pool(1).await;
    let product = world.product(500).await;
    // Longer than the wait for a connection, and shorter than the statement timeout.
    world.sql(
        "CREATE FUNCTION delay_insert() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_sleep(4.5); RETURN NEW; END $$;
        CREATE TRIGGER delay_insert BEFORE INSERT ON newsletter FOR EACH ROW EXECUTE FUNCTION delay_insert()",
    );
    let database = world.database.clone();
    let busy = tokio::spawn(async move { database.subscribe(&"slow@example.com".parse().unwrap(), at(0)).await });
    tokio::time::sleep(Duration::from_millis(200)).await;
    let started = Instant::now();
    let outcome = world.products().find(product.id).await;
    assert!(is_unavailable(&outcome), "it waited for the connection: {outcome:?}");
    let waited = started.elapsed();
    assert!((Duration::from_millis(2_900)..Duration::from_millis(4_200)).contains(&waited), "{waited:?}");
    busy.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_product_does_not_use_up_all_connections() {
    let world = World::with_pool(16).await;
    let customer = world.customer("customer@example.com").await;
    let hot = world.product(5_000).await;
    let other = world.add(product("Oil filter", 500)).await;
    let mut holder = world.raw();
    holder.batch_execute(&format!("BEGIN; SELECT * FROM products WHERE id = '{}' FOR UPDATE", hot.id)).unwrap();
    let mut customers = Vec::new();
    for _ in 0..64 {
        let (database, order) = (world.database.clone(), new_order(&customer, &hot, 50, None));
        customers.push(tokio::spawn(async move { database.place(&order).await.map(drop) }));
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    let mut took = Vec::new();
    for _ in 0..100 {
        let started = Instant::now();
        assert!(world.products().find(other.id).await.unwrap().is_some());
        world.database.ping().await.unwrap();
        took.push(started.elapsed());
    }
    took.sort();
    assert!(took[98] < Duration::from_millis(250), "the slowest: {:?}", &took[90..]);
    // It does not block orders for other products either.
    let bystander = world.customer("bystander@example.com").await;
    let started = Instant::now();
    world.place(&bystander, &other, 50).await.unwrap();
    assert!(started.elapsed() < Duration::from_millis(500), "{:?}", started.elapsed());
    holder.batch_execute("ROLLBACK").unwrap();
    for outcome in customers {
        let outcome = outcome.await.unwrap();
        assert!(matches!(outcome, Ok(()) | Err(PlaceError::Store(StoreError::Unavailable(_)))), "{outcome:?}");
    }
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_connection_is_not_reused() {
    let world = World::fresh().await;
    // As if the URL named a single server, which a failover turns into a replica.
    let separator = if world.url().contains('?') { '&' } else { '?' };
    let url = format!("{}{separator}target_session_attrs=any", world.url());
    let name = world.url().rsplit('/').next().unwrap().split('?').next().unwrap().to_owned();
    world.sql(&format!(r#"ALTER DATABASE "{name}" SET default_transaction_read_only = on"#));
    let database = Database::connect(&url, 4, Duration::from_secs(5)).await.unwrap();
    eventually_full(&database, 4).await;
    let email = "reader@example.com".parse().unwrap();
    assert!(is_unavailable(&database.subscribe(&email, at(0)).await));
    let mut raw = world.raw();
    raw.batch_execute("SET default_transaction_read_only = off").unwrap();
    raw.batch_execute(&format!(r#"ALTER DATABASE "{name}" RESET default_transaction_read_only"#)).unwrap();
    let mut refused = 0;
    for _ in 0..12 {
        refused += usize::from(database.subscribe(&email, at(0)).await.is_err());
    }
    assert!(refused <= 1, "{refused} of 12 writes went to read-only connections");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_server_is_refused_for_writing() {
    let world = World::fresh().await;
    let name = world.url().rsplit('/').next().unwrap().split('?').next().unwrap().to_owned();
    world.sql(&format!(r#"ALTER DATABASE "{name}" SET default_transaction_read_only = on"#));
    let refused = Database::connect(world.url(), 2, Duration::from_millis(500)).await;
    let Err(StoreError::Unavailable(cause)) = refused else { panic!("{refused:?}") };
    assert!(cause.to_string().contains("read-only"), "{cause}");
}

#[tokio::test(flavor = "multi_thread")]
async fn database_defaults_do_not_change_our_transaction_settings() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let name = world.url().rsplit('/').next().unwrap().split('?').next().unwrap().to_owned();
    world.sql(&format!(
        r#"ALTER DATABASE "{name}" SET default_transaction_isolation = 'serializable';
        ALTER DATABASE "{name}" SET synchronous_commit = off"#
    ));
    let database = Database::connect(world.url(), 8, Duration::from_secs(5)).await.unwrap();
    let product = world.product(500).await;
    let mut orders = Vec::new();
    for _ in 0..40 {
        let (database, order) = (database.clone(), new_order(&customer, &product, 50, None));
        orders.push(tokio::spawn(async move { database.place(&order).await.map(drop) }));
    }
    let mut placed = 0;
    for outcome in orders {
        match outcome.await.unwrap() {
            Ok(()) => placed += 1,
            Err(PlaceError::Refused(PlaceRefused::Stock(_))) => {}
            Err(error) => panic!("neither placed nor out of stock: {error:?}"),
        }
    }
    assert_eq!(placed, 10);
    let examined = database.examine().await.unwrap();
    assert_eq!((examined.isolation.as_str(), examined.synchronous_commit.as_str()), ("read committed", "on"));
}

async fn eventually_full(database: &Database, size: u32) {
    for _ in 0..250 {
        if database.connections() == (size, size) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{:?} of {size} connections", database.connections());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_request_releases_its_permit() {
    let world = World::with_pool(2).await;
    let product = world.product(500).await;
    for _ in 0..50 {
        let database = world.database.clone();
        let abandoned = tokio::spawn(async move { ProductRepository::find(&database, product.id).await });
        tokio::task::yield_now().await;
        abandoned.abort();
    }
    assert!(world.products().find(product.id).await.unwrap().is_some());
    world.database.ping().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_the_domain_refuses_is_an_error_and_not_a_shorter_list() {
    let world = World::fresh().await;
    let product = world.product(500).await;
    world.sql("UPDATE products SET img = 'javascript:alert(1)'");
    let outcome = world.products().find(product.id).await;
    let Err(StoreError::Internal(cause)) = outcome else { panic!("{outcome:?}") };
    assert!(cause.to_string().contains("img"), "{cause}");
    assert!(world.products().list(&ports::ProductQuery::default()).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_url_with_its_password_is_not_in_the_debug_output() {
    let world = World::fresh().await;
    assert!(!format!("{:?}", world.database).contains("postgres://"));
}
