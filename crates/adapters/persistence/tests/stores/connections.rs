//! What happens when the database is slow, busy or gone.

use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use persistence::Database;
use ports::{NewsletterRepository, OrderRepository, PlaceError, ProductRepository, StoreError};

use crate::world::{World, at, new_order, product};

fn is_away<T>(outcome: &Result<T, StoreError>) -> bool {
    matches!(outcome, Err(StoreError::Unavailable(_)))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_not_there_is_told_in_time_and_in_its_own_words() {
    let begun = Instant::now();
    // Port 1 of this machine: nobody listens there.
    let refused = Database::connect("postgres://nobody@127.0.0.1:1/nothing", 2, Duration::from_millis(300)).await;
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    let Err(StoreError::Unavailable(cause)) = refused else { panic!("{refused:?}") };
    assert!(cause.to_string().contains("refused"), "{cause}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_takes_the_call_and_says_nothing_is_told_in_time() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("postgres://nobody@{}/nothing", silent.local_addr().unwrap());
    let begun = Instant::now();
    let refused = Database::connect(&url, 2, Duration::from_millis(300)).await;
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    assert!(is_away(&refused), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn after_every_connection_is_cut_at_most_one_request_fails() {
    let world = World::with_pool(6).await;
    let product = world.product(500).await;
    for round in 0..3 {
        // One that is opened only after the cut would serve every request, and none would learn of the others.
        for _ in 0..250 {
            if world.database.connections() == (6, 6) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(world.database.connections(), (6, 6), "round {round}");
        world.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'driveline'",
        );
        // Being told to end is not having ended.
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
            assert!(outcome.is_ok() || is_away(&outcome), "round {round}: {outcome:?}");
            failed += usize::from(outcome.is_err());
        }
        assert!(failed <= 1, "round {round}: {failed} of 12 failed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purchase_that_waits_too_long_for_a_lock_is_away_and_changes_nothing() {
    let world = World::fresh().await;
    let customer = world.person("buyer@example.com").await;
    let product = world.product(500).await;
    let mut holder = world.raw();
    holder.batch_execute("BEGIN; SELECT * FROM products FOR UPDATE").unwrap();
    let begun = Instant::now();
    let outcome = world.place(&customer, &product, 50).await;
    assert!(matches!(outcome, Err(PlaceError::Store(StoreError::Unavailable(_)))), "{outcome:?}");
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    holder.batch_execute("ROLLBACK").unwrap();
    assert_eq!(world.shelf(product.id).await, 500);
    world.place(&customer, &product, 50).await.unwrap();
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_finds_every_connection_busy_is_told_after_three_seconds() {
    let world = World::with_pool(1).await;
    let product = world.product(500).await;
    // Longer than anybody waits, and shorter than the server lets a statement run.
    world.sql(
        "CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_sleep(4.5); RETURN NEW; END $$;
        CREATE TRIGGER dawdle BEFORE INSERT ON newsletter FOR EACH ROW EXECUTE FUNCTION dawdle()",
    );
    let database = world.database.clone();
    let busy = tokio::spawn(async move { database.subscribe(&"slow@example.com".parse().unwrap(), at(0)).await });
    tokio::time::sleep(Duration::from_millis(200)).await;
    let begun = Instant::now();
    let outcome = world.products().find(product.id).await;
    assert!(is_away(&outcome), "it waited until the connection was free: {outcome:?}");
    let waited = begun.elapsed();
    assert!((Duration::from_millis(2_900)..Duration::from_millis(4_200)).contains(&waited), "{waited:?}");
    busy.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_product_that_everybody_wants_and_nobody_gets_leaves_the_others_their_connections() {
    let world = World::with_pool(16).await;
    let customer = world.person("buyer@example.com").await;
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
        let begun = Instant::now();
        assert!(world.products().find(other.id).await.unwrap().is_some());
        world.database.ping().await.unwrap();
        took.push(begun.elapsed());
    }
    took.sort();
    assert!(took[98] < Duration::from_millis(250), "the slowest: {:?}", &took[90..]);
    // Neither does it keep anybody else from buying something else.
    let bystander = world.person("bystander@example.com").await;
    let begun = Instant::now();
    world.place(&bystander, &other, 50).await.unwrap();
    assert!(begun.elapsed() < Duration::from_millis(500), "{:?}", begun.elapsed());
    holder.batch_execute("ROLLBACK").unwrap();
    for outcome in customers {
        let outcome = outcome.await.unwrap();
        assert!(matches!(outcome, Ok(()) | Err(PlaceError::Store(StoreError::Unavailable(_)))), "{outcome:?}");
    }
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_may_only_read_is_not_used_again() {
    let world = World::fresh().await;
    // As if the address named one server only, which a failover turns into a replica.
    let separator = if world.url().contains('?') { '&' } else { '?' };
    let url = format!("{}{separator}target_session_attrs=any", world.url());
    let name = world.url().rsplit('/').next().unwrap().split('?').next().unwrap().to_owned();
    world.sql(&format!(r#"ALTER DATABASE "{name}" SET default_transaction_read_only = on"#));
    let database = Database::connect(&url, 4, Duration::from_secs(5)).await.unwrap();
    eventually_full(&database, 4).await;
    let email = "reader@example.com".parse().unwrap();
    assert!(is_away(&database.subscribe(&email, at(0)).await));
    let mut raw = world.raw();
    raw.batch_execute("SET default_transaction_read_only = off").unwrap();
    raw.batch_execute(&format!(r#"ALTER DATABASE "{name}" RESET default_transaction_read_only"#)).unwrap();
    let mut refused = 0;
    for _ in 0..12 {
        refused += usize::from(database.subscribe(&email, at(0)).await.is_err());
    }
    assert!(refused <= 1, "{refused} of 12 writes went to connections that may only read");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_takes_no_writes_is_nobodys_writer() {
    let world = World::fresh().await;
    let name = world.url().rsplit('/').next().unwrap().split('?').next().unwrap().to_owned();
    world.sql(&format!(r#"ALTER DATABASE "{name}" SET default_transaction_read_only = on"#));
    let refused = Database::connect(world.url(), 2, Duration::from_millis(500)).await;
    let Err(StoreError::Unavailable(cause)) = refused else { panic!("{refused:?}") };
    assert!(cause.to_string().contains("read-only"), "{cause}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_default_of_the_database_does_not_change_what_a_transaction_is() {
    let world = World::fresh().await;
    let customer = world.person("buyer@example.com").await;
    let name = world.url().rsplit('/').next().unwrap().split('?').next().unwrap().to_owned();
    world.sql(&format!(
        r#"ALTER DATABASE "{name}" SET default_transaction_isolation = 'serializable';
        ALTER DATABASE "{name}" SET synchronous_commit = off"#
    ));
    let database = Database::connect(world.url(), 8, Duration::from_secs(5)).await.unwrap();
    let product = world.product(500).await;
    let mut buying = Vec::new();
    for _ in 0..40 {
        let (database, order) = (database.clone(), new_order(&customer, &product, 50, None));
        buying.push(tokio::spawn(async move { database.place(&order).await.map(drop) }));
    }
    let mut placed = 0;
    for outcome in buying {
        match outcome.await.unwrap() {
            Ok(()) => placed += 1,
            Err(PlaceError::NotEnough { .. }) => {}
            Err(error) => panic!("neither an order nor out of stock: {error:?}"),
        }
    }
    assert_eq!(placed, 10);
    let told = database.examine().await.unwrap();
    assert_eq!((told.isolation.as_str(), told.synchronous_commit.as_str()), ("read committed", "on"));
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
async fn a_request_that_gives_up_leaves_its_turn_to_others() {
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
async fn a_row_that_the_rules_refuse_is_a_defect_and_not_a_shorter_list() {
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
