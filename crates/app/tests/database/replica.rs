//! Lists from a replica, and a replica that takes the primary's place. If the programs to create one are missing, these tests
//! print that and pass.

use std::path::Path;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};
use testkit::TestDatabase;

use crate::START;
use crate::instance::Instance;
use crate::link::unprivileged;
use crate::server::{Server, as_owner, initialise, programs};

/// An empty server and one that follows it, in a folder; nothing without the programs for that.
fn primary_and_replica(folder: &Path) -> Option<(Server, Server)> {
    let programs = programs()?;
    let owner = unprivileged(TestDatabase::empty().url());
    let _ = std::os::unix::fs::chown(folder, Some(owner), Some(owner));
    let (first, second) = (folder.join("primary"), folder.join("replica"));
    initialise(&programs, &first, owner);
    let primary = Server::start(&programs, &first, owner);
    let copied = as_owner(&programs.join("pg_basebackup"), owner)
        .args(["-d", &primary.url().replace("/postgres", ""), "-R", "-X", "stream", "-c", "fast", "--no-sync", "-D"])
        .arg(&second)
        .status()
        .unwrap();
    assert!(copied.success());
    let replica = Server::start(&programs, &second, owner);
    Some((primary, replica))
}

/// How often orders were looked up at a server, which nothing but lists of them does at a replica. Its sessions say so when they
/// end, so that this ends them.
fn lists_read_at(replica: &Server) -> i64 {
    let end = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
    testkit::execute(&replica.url(), end);
    let scans = "SELECT (seq_scan + coalesce(idx_scan, 0))::bigint FROM pg_stat_user_tables WHERE relname = 'orders'";
    testkit::number(&replica.url(), scans).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_are_read_from_an_up_to_date_replica_and_otherwise_from_the_primary() {
    let folder = tempfile::tempdir().unwrap();
    let Some((primary, replica)) = primary_and_replica(folder.path()) else { return };

    let shop = Instance::start(&[("DATABASE_URL", &primary.url()), ("DATABASE_READ_URL", &replica.url())]);
    shop.is_ready_within(START).await;
    let (token, parts) = crate::products(&shop, &primary.url(), &["Part"]).await;
    let order = crate::order_of(&parts[0]);
    let placed = async || {
        let answer = shop.ask(Method::POST, "/orders", &token, &order).await;
        assert_eq!(answer.status().as_u16(), 201, "{}", answer.text().await.unwrap());
    };
    // A page of up to fifty is read with other customers' at the primary.
    let listed = async || {
        let answer: Value = shop.ask(Method::GET, "/orders?limit=51", &token, &Value::Null).await.json().await.unwrap();
        answer.as_array().unwrap().len()
    };
    for nth in 1..=30 {
        placed().await;
        assert_eq!(listed().await, nth, "the list lacks an order that was just placed");
    }
    // Nothing is written meanwhile, so the replica is up to date.
    for _ in 0..30 {
        assert_eq!(listed().await, 30);
    }
    let read = lists_read_at(&replica);
    assert!(read >= 30, "only {read} of 60 lists are from the replica");

    let deadline = Instant::now() + Duration::from_secs(20);
    while testkit::number(&replica.url(), "SELECT count(*) FROM pg_stat_activity WHERE usename IS NOT NULL") < Some(2) {
        assert!(Instant::now() < deadline, "the shop does not come back to the replica");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    testkit::execute(&replica.url(), "SELECT pg_wal_replay_pause()");
    for nth in 31..=35 {
        placed().await;
        assert_eq!(listed().await, nth, "the list is from a lagging replica");
    }
    drop(replica);
    let begun = Instant::now();
    for _ in 0..5 {
        assert_eq!(listed().await, 35);
    }
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    drop(shop);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_says_whether_a_commit_waits_for_a_standby() {
    let folder = tempfile::tempdir().unwrap();
    let Some((primary, replica)) = primary_and_replica(folder.path()) else { return };
    let first = Instance::start(&[("DATABASE_URL", &primary.url())]);
    first.is_ready_within(START).await;
    first.logs("a commit waits for no standby").await;
    assert_eq!(first.logged("a commit waits for a standby"), 0);
    drop(first);

    testkit::execute(&primary.url(), "ALTER SYSTEM SET synchronous_standby_names = '*'");
    testkit::execute(&primary.url(), "SELECT pg_reload_conf()");
    let deadline = Instant::now() + Duration::from_secs(20);
    let waits = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
    while testkit::number(&primary.url(), waits) != Some(1) {
        assert!(Instant::now() < deadline, "the standby is not waited for");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let second = Instance::start(&[("DATABASE_URL", &primary.url())]);
    second.is_ready_within(START).await;
    second.logs("a commit waits for a standby").await;
    assert_eq!(second.logged("a commit waits for no standby"), 0);
    drop(second);
    drop(replica);
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_failover_admins_change_products_and_what_they_change_is_in_the_audit_trail() {
    let folder = tempfile::tempdir().unwrap();
    let Some((primary, replica)) = primary_and_replica(folder.path()) else { return };
    let hosts = |server: &Server| server.url().split('@').next_back().unwrap().split('/').next().unwrap().to_owned();
    let named = primary.url().replace(&hosts(&primary), &format!("{},{}", hosts(&primary), hosts(&replica)));
    let shop = Instance::start(&[("DATABASE_URL", &named)]);
    shop.is_ready_within(START).await;
    let token = shop.sign_up("admin@example.com").await;
    testkit::execute(&primary.url(), "UPDATE accounts SET role = 'admin', email_verified_at = now()");
    // The standby has made no checkpoint since the schema came.
    let arrived = || testkit::number(&replica.url(), "SELECT count(*) FROM accounts WHERE role = 'admin'").unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while arrived() == 0 {
        assert!(Instant::now() < deadline, "the replica does not follow");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    drop(primary);
    testkit::execute(&replica.url(), "SELECT pg_promote()");

    let part = json!({"name": "Part", "description": "A part", "category": "BRAKES", "img": "/pictures/x.webp",
        "price": 2, "availableQty": 1_000, "minOrder": 50});
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let answer = shop.ask(Method::POST, "/products", &token, &part).await;
        match answer.status().as_u16() {
            201 => break,
            503 => assert!(Instant::now() < deadline, "the shop does not find the new primary"),
            status => unreachable!("{status}: {}", answer.text().await.unwrap()),
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(testkit::number(&replica.url(), "SELECT count(*) FROM audit_entries").unwrap(), 1);
}
