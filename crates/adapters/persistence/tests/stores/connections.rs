//! What happens when the database is slow, busy or gone.

use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use persistence::Database;
use ports::{OrderStore, PlaceError, ProductStore, StoreError};

use crate::world::{World, new_order};

fn is_away<T>(outcome: &Result<T, StoreError>) -> bool {
    matches!(outcome, Err(StoreError::Away(_)))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_not_there_is_told_in_time_and_in_its_own_words() {
    let begun = Instant::now();
    // Port 1 of this machine: nobody listens there.
    let refused = Database::connect("postgres://nobody@127.0.0.1:1/nothing", 2, Duration::from_millis(300)).await;
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    let Err(StoreError::Away(cause)) = refused else { panic!("{refused:?}") };
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
    let buyer = world.person("buyer@example.com").await;
    let product = world.product(500).await;
    let mut holder = world.raw();
    holder.batch_execute("BEGIN; SELECT * FROM products FOR UPDATE").unwrap();
    let begun = Instant::now();
    let outcome = world.place(&buyer, &product, 50).await;
    assert!(matches!(outcome, Err(PlaceError::Store(StoreError::Away(_)))), "{outcome:?}");
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    holder.batch_execute("ROLLBACK").unwrap();
    assert_eq!(world.shelf(product.id).await, 500);
    world.place(&buyer, &product, 50).await.unwrap();
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_finds_every_connection_busy_is_told_after_three_seconds() {
    let world = World::with_pool(1).await;
    let buyer = world.person("buyer@example.com").await;
    let product = world.product(500).await;
    let mut holder = world.raw();
    holder.batch_execute("BEGIN; SELECT * FROM products FOR UPDATE").unwrap();
    let (database, order) = (world.database.clone(), new_order(&buyer, &product, 50, None));
    let busy = tokio::spawn(async move { database.place(&order).await });
    tokio::time::sleep(Duration::from_millis(200)).await;
    let begun = Instant::now();
    let outcome = world.products().find(product.id).await;
    // The lock is given up on before the wait is over, so that either is fine; what is not is to wait for ever.
    assert!(outcome.is_ok() || is_away(&outcome), "{outcome:?}");
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    holder.batch_execute("ROLLBACK").unwrap();
    let _ = busy.await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_gives_up_leaves_its_turn_to_others() {
    let world = World::with_pool(2).await;
    let product = world.product(500).await;
    for _ in 0..50 {
        let database = world.database.clone();
        let abandoned = tokio::spawn(async move { ProductStore::find(&database, product.id).await });
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
    let Err(StoreError::Broken(cause)) = outcome else { panic!("{outcome:?}") };
    assert!(cause.to_string().contains("img"), "{cause}");
    assert!(world.products().list(&ports::ProductQuery::default()).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_url_with_its_password_is_not_in_the_debug_output() {
    let world = World::fresh().await;
    assert!(!format!("{:?}", world.database).contains("postgres://"));
}
