//! `driveline serve` and a database that is away, comes back, is busy, or is not what it should be.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod cable;
mod link;
mod pooler;
mod replica;
mod server;

use std::time::{Duration, Instant};

use reqwest::{Method, Response};
use rustix::process::Signal;
use serde_json::{Value, json};
use testkit::TestDatabase;

use self::link::{Copy, Wire, command};

/// Of the whole program's start, migrations included, on a busy machine.
const START: Duration = Duration::from_mins(1);

async fn is_unavailable(answer: Response) {
    assert_eq!(answer.status().as_u16(), 503);
    let after: u32 = answer.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    assert!(after > 0);
    assert_eq!(answer.headers()["content-type"], "application/problem+json");
    assert!(answer.headers().contains_key("content-security-policy"));
    let problem: Value = answer.json().await.unwrap();
    assert_eq!(problem["status"], 503);
    assert!(!problem["message"].as_str().unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_starts_before_its_database_listens_and_opens_by_itself() {
    let database = TestDatabase::empty();
    let mut wire = Wire::to(&database);
    let mut shop = Copy::start(&[("DATABASE_URL", &wire.url(&database))]);
    // Longer than it once waited before it gave up.
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(12) {
        assert_eq!(shop.status("/health/live").await, 200);
        assert_eq!(shop.status("/health/ready").await, 503);
        for path in ["/products", "/", "/config", "/auth/me", "/nothing"] {
            is_unavailable(shop.get(path).await).await;
        }
        is_unavailable(shop.ask(Method::POST, "/orders", "", &json!({})).await).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    assert!(shop.is_running());
    let lines = shop.logged("no connection to the database");
    assert!((1..=3).contains(&lines), "{lines} lines of one outage");
    wire.mend();
    shop.is_ready_within(START).await;
    assert_eq!(shop.status("/products").await, 200);
    assert_eq!(shop.logged("the shop is open"), 1);
    shop.sign_up("first@example.com").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_loses_its_database_goes_on_answering_and_gets_over_it() {
    let database = TestDatabase::empty();
    let mut wire = Wire::to(&database);
    wire.mend();
    let mut shop = Copy::start(&[("DATABASE_URL", &wire.url(&database))]);
    shop.is_ready_within(START).await;
    wire.cut();
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(10) {
        // A balancer that took every copy out would have to answer itself, and cannot say when to come back.
        assert_eq!(shop.status("/health/ready").await, 200);
        assert_eq!(shop.status("/health/live").await, 200);
        is_unavailable(shop.get("/products").await).await;
    }
    wire.mend();
    let begun = Instant::now();
    while shop.status("/products").await != 200 {
        assert!(begun.elapsed() < Duration::from_secs(20), "it does not get over it");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(shop.is_running());
    let lines = shop.logged("no connection to the database");
    assert!((1..=4).contains(&lines), "{lines} lines of one outage");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_on_a_database_that_takes_no_writes_is_not_ready() {
    let database = TestDatabase::empty();
    database.sql(&format!(r#"ALTER DATABASE "{}" SET default_transaction_read_only = on"#, database.name()));
    let mut shop = Copy::start(&[("DATABASE_URL", database.url())]);
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(5) {
        assert_eq!(shop.status("/health/live").await, 200);
        assert_eq!(shop.status("/health/ready").await, 503);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    assert!(shop.logged("read-only") > 0);
    assert!(shop.is_running());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_person_has_to_mend_is_one_line_and_exit_code_2() {
    let database = TestDatabase::empty();
    let (_, who) = link::read(database.url());
    let wrong = database.url().replacen(&format!("{who}@"), "driveline:not-the-password@", 1);
    let ascii = TestDatabase::empty();
    let name = format!("{}_ascii", ascii.name());
    ascii.sql(&format!(
        r#"CREATE DATABASE "{name}" ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"#
    ));
    let latin = ascii.url().replacen(ascii.name(), &name, 1);
    let missing = database.url().replacen(database.name(), "nobody_made_this", 1);
    for (settings, word) in [
        (vec![("DATABASE_URL", wrong.as_str())], "password"),
        (vec![("DATABASE_URL", missing.as_str())], "does not exist"),
        (vec![("DATABASE_URL", latin.as_str())], "UTF8"),
        (vec![("DATABASE_URL", database.url()), ("PUBLIC_URL", "https://shop.example.com")], "fsync"),
    ] {
        let begun = Instant::now();
        let ended = command(&["serve"], &settings).output().unwrap();
        let told = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(2), "{word}: {told}");
        let lines: Vec<&str> = told.lines().collect();
        assert!(lines.iter().any(|line| line.starts_with("driveline: ") && line.contains(word)), "{word}: {lines:?}");
        assert!(!told.contains("not-the-password"), "{told}");
        // It says so instead of trying for ever; how fast a busy machine says it is not asked here.
        assert!(begun.elapsed() < Duration::from_mins(1), "{word}: {:?}", begun.elapsed());
    }
    ascii.sql(&format!(r#"DROP DATABASE "{name}" WITH (FORCE)"#));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_is_told_to_end_serves_until_the_balancer_knows() {
    let database = TestDatabase::empty();
    let mut shop = Copy::start(&[("DATABASE_URL", database.url()), ("DRAIN_SECONDS", "3")]);
    shop.is_ready_within(START).await;
    assert!(shop.get("/products").await.headers().get("connection").is_none());
    let begun = Instant::now();
    shop.signal(Signal::TERM);
    tokio::time::sleep(Duration::from_millis(300)).await;
    while begun.elapsed() < Duration::from_millis(2_500) {
        assert_eq!(shop.status("/health/ready").await, 503);
        let answer = shop.get("/products").await;
        assert_eq!(answer.status().as_u16(), 200);
        assert_eq!(answer.headers()["connection"], "close");
        assert_eq!(shop.status("/health/live").await, 200);
    }
    let ended = shop.ended(Duration::from_secs(20)).await;
    assert_eq!(ended.code(), Some(0));
    assert!(begun.elapsed() >= Duration::from_secs(3), "{:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_stands_at_a_terminal_need_not_wait_for_a_balancer() {
    let database = TestDatabase::empty();
    let mut shop = Copy::start(&[("DATABASE_URL", database.url()), ("DRAIN_SECONDS", "60")]);
    shop.is_ready_within(START).await;
    shop.signal(Signal::INT);
    assert_eq!(shop.ended(Duration::from_secs(20)).await.code(), Some(0));
}

/// A shop with parts that can be ordered, and an admin.
async fn shop_with_parts(database: &TestDatabase, names: &[&str]) -> (Copy, String, Vec<String>) {
    let shop = Copy::start(&[("DATABASE_URL", database.url())]);
    shop.is_ready_within(START).await;
    let admin = shop.sign_up("admin@example.com").await;
    database.sql("UPDATE accounts SET role = 'admin', email_verified_at = now() WHERE email = 'admin@example.com'");
    let mut ids = Vec::new();
    for name in names {
        let part = json!({"name": name, "description": "A part", "category": "BRAKES", "img": "/pictures/x.webp",
            "price": 2, "availableQty": 100_000, "minOrder": 50});
        let answer = shop.ask(Method::POST, "/products", &admin, &part).await;
        assert_eq!(answer.status().as_u16(), 201, "{}", answer.text().await.unwrap());
        let answer: Value = answer.json().await.unwrap();
        ids.push(answer["insertedId"].as_str().unwrap().to_owned());
    }
    (shop, admin, ids)
}

fn order_of(id: &str) -> Value {
    json!({"productId": id, "quantity": 50, "name": "Some Body", "phone": "+1 555 0100", "address": "1 Main Street"})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_product_that_is_locked_takes_neither_other_pages_nor_readiness_with_it() {
    let database = TestDatabase::empty();
    let (shop, admin, ids) = shop_with_parts(&database, &["Locked part", "Other part"]).await;
    let bystander = shop.sign_up("bystander@example.com").await;
    let held = database.hold(&format!("SELECT * FROM products WHERE id = '{}' FOR UPDATE", ids[0]));
    let buying = order_of(&ids[0]);
    let (locked, mut took) = (std::sync::atomic::AtomicUsize::new(0), Vec::new());
    let customers = futures_util::future::join_all((0..64).map(|_| async {
        let answer = shop.ask(Method::POST, "/orders", &admin, &buying).await;
        assert!(matches!(answer.status().as_u16(), 201 | 503), "{}", answer.text().await.unwrap());
        locked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }));
    let looking = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        for _ in 0..40 {
            let begun = Instant::now();
            assert_eq!(shop.status(&format!("/products/{}", ids[1])).await, 200);
            assert_eq!(shop.status("/health/ready").await, 200);
            assert_eq!(shop.ask(Method::GET, "/orders", &admin, &Value::Null).await.status().as_u16(), 200);
            took.push(begun.elapsed());
        }
        let begun = Instant::now();
        let answer = shop.ask(Method::POST, "/orders", &bystander, &order_of(&ids[1])).await;
        assert_eq!(answer.status().as_u16(), 201, "{}", answer.text().await.unwrap());
        assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    };
    tokio::join!(customers, looking);
    drop(held);
    took.sort();
    // Three calls each; before, one alone took three seconds.
    assert!(took[38] < Duration::from_millis(600), "{:?}", &took[30..]);
    assert_eq!(locked.into_inner(), 64);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_customer_whose_orders_wait_for_one_another_keeps_nobody_else_waiting() {
    let database = TestDatabase::empty();
    let names: Vec<String> = (0..10).map(|n| format!("Part {n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (shop, _, ids) = shop_with_parts(&database, &names).await;
    let (flood, bystander) = (shop.sign_up("flood@example.com").await, shop.sign_up("bystander@example.com").await);
    // Whoever never paid has their orders counted one by one: the first waits for the product, the others for the first.
    let held = database.hold(&format!("SELECT * FROM products WHERE id = '{}' FOR UPDATE", ids[0]));
    let flooding = futures_util::future::join_all((0..64).map(|nth| {
        let (shop, flood, order) = (&shop, &flood, order_of(&ids[if nth % 2 == 0 { 0 } else { 2 + nth % 8 }]));
        async move {
            let status = shop.ask(Method::POST, "/orders", flood, &order).await.status().as_u16();
            assert!(matches!(status, 201 | 409 | 503), "{status}");
        }
    }));
    let buying = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        for _ in 0..5 {
            let begun = Instant::now();
            let answer = shop.ask(Method::POST, "/orders", &bystander, &order_of(&ids[1])).await;
            assert_eq!(answer.status().as_u16(), 201, "{}", answer.text().await.unwrap());
            assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
        }
    };
    tokio::join!(flooding, buying);
    drop(held);
}

#[tokio::test(flavor = "multi_thread")]
async fn three_that_migrate_at_once_all_end_well() {
    let database = TestDatabase::empty();
    let running: Vec<_> =
        (0..3).map(|_| command(&["migrate"], &[("DATABASE_URL", database.url())]).spawn().unwrap()).collect();
    for mut one in running {
        assert_eq!(one.wait().unwrap().code(), Some(0));
    }
}
