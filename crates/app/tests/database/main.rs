//! `driveline serve` with a database that is unavailable, recovers, is busy, or is misconfigured; and three copies of it on
//! one database.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod cable;
mod copies;
mod disk;
mod exhausted;
mod foreign;
mod instance;
mod limits;
mod link;
mod pooler;
mod races;
mod replica;
mod server;
mod stops;
mod wire;

use std::time::{Duration, Instant};

use reqwest::{Method, Response};
use rustix::process::Signal;
use serde_json::{Value, json};
use testkit::TestDatabase;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use self::instance::{Instance, command};
use self::link::Link;

/// For the whole start of the program, migrations included, on a busy machine.
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
async fn a_server_that_starts_before_its_database_listens_and_becomes_ready_by_itself() {
    let database = TestDatabase::empty();
    let mut link = Link::to(&database);
    let mut shop = Instance::start(&[("DATABASE_URL", &link.url(&database))]);
    // Longer than the start-up timeout of an earlier release.
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
    shop.logs("no connection to the database").await;
    let lines = shop.logged("no connection to the database");
    assert!((1..=3).contains(&lines), "{lines} lines of one outage");
    link.mend();
    shop.is_ready_within(START).await;
    assert_eq!(shop.status("/products").await, 200);
    shop.logs("the shop is open").await;
    assert_eq!(shop.logged("the shop is open"), 1);
    shop.sign_up("first@example.com").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_loses_its_database_keeps_responding_and_recovers() {
    let database = TestDatabase::empty();
    let mut link = Link::to(&database);
    link.mend();
    let mut shop = Instance::start(&[("DATABASE_URL", &link.url(&database))]);
    shop.is_ready_within(START).await;
    link.cut();
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(10) {
        // A balancer that removed every instance would have to respond itself, and could not send a Retry-After.
        assert_eq!(shop.status("/health/ready").await, 200);
        assert_eq!(shop.status("/health/live").await, 200);
        is_unavailable(shop.get("/products").await).await;
    }
    link.mend();
    let begun = Instant::now();
    while shop.status("/products").await != 200 {
        assert!(begun.elapsed() < Duration::from_secs(20), "it does not recover");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(shop.is_running());
    shop.logs("no connection to the database").await;
    let lines = shop.logged("no connection to the database");
    assert!((1..=4).contains(&lines), "{lines} lines of one outage");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_on_a_read_only_database_is_not_ready() {
    let database = TestDatabase::empty();
    database.sql(&format!(r#"ALTER DATABASE "{}" SET default_transaction_read_only = on"#, database.name()));
    let mut shop = Instance::start(&[("DATABASE_URL", database.url())]);
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(5) {
        assert_eq!(shop.status("/health/live").await, 200);
        assert_eq!(shop.status("/health/ready").await, 503);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    shop.logs("read-only").await;
    assert!(shop.is_running());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_configuration_error_is_one_line_and_exit_code_2() {
    let database = TestDatabase::empty();
    let (_, who) = link::read(database.url());
    let wrong = database.url().replacen(&format!("{who}@"), "driveline:not-the-password@", 1);
    let ascii = TestDatabase::empty();
    let name = format!("{}_ascii", ascii.name());
    ascii.sql(&format!(
        r#"CREATE DATABASE "{name}" ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"#
    ));
    let latin = ascii.url().replacen(ascii.name(), &name, 1);
    let missing = database.url().replacen(database.name(), "does_not_exist", 1);
    for (settings, word) in [
        (vec![("DATABASE_URL", wrong.as_str())], "password"),
        (vec![("DATABASE_URL", missing.as_str())], "does not exist"),
        (vec![("DATABASE_URL", latin.as_str())], "UTF8"),
        (vec![("DATABASE_URL", database.url()), ("PUBLIC_URL", "https://shop.example.com")], "fsync"),
    ] {
        let begun = Instant::now();
        let ended = command(&["serve"], &settings).output().unwrap();
        let stderr = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(2), "{word}: {stderr}");
        let lines: Vec<&str> = stderr.lines().collect();
        assert!(lines.iter().any(|line| line.starts_with("driveline: ") && line.contains(word)), "{word}: {lines:?}");
        assert!(!stderr.contains("not-the-password"), "{stderr}");
        // It reports the error instead of retrying forever; how fast is not tested here.
        assert!(begun.elapsed() < Duration::from_mins(1), "{word}: {:?}", begun.elapsed());
    }
    ascii.sql(&format!(r#"DROP DATABASE "{name}" WITH (FORCE)"#));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminated_server_serves_until_the_balancer_notices() {
    let database = TestDatabase::empty();
    // It is watched for less than half of these seconds, so that a slow request does not outlast them.
    let mut shop = Instance::start(&[("DATABASE_URL", database.url()), ("DRAIN_SECONDS", "6")]);
    shop.is_ready_within(START).await;
    assert!(shop.get("/products").await.headers().get("connection").is_none());
    let begun = Instant::now();
    shop.signal(Signal::TERM);
    while shop.status("/health/ready").await == 200 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // At least once, however long the signal took.
    loop {
        assert_eq!(shop.status("/health/ready").await, 503);
        let answer = shop.get("/products").await;
        assert_eq!(answer.status().as_u16(), 200);
        assert_eq!(answer.headers()["connection"], "close");
        assert_eq!(shop.status("/health/live").await, 200);
        if begun.elapsed() > Duration::from_millis(2_500) {
            break;
        }
    }
    let ended = shop.ended(Duration::from_secs(20)).await;
    assert_eq!(ended.code(), Some(0));
    assert!(begun.elapsed() >= Duration::from_secs(6), "{:?}", begun.elapsed());
}

/// Sends the head of an order, and waits until the server has read it: it then asks for the body.
async fn head_of_an_order(shop: &Instance, token: &str, length: usize) -> TcpStream {
    let mut stream = shop.connect().await;
    let head = format!(
        "POST /orders HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\nexpect: 100-continue\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut asked = [0; 25];
    stream.read_exact(&mut asked).await.unwrap();
    assert_eq!(asked, *b"HTTP/1.1 100 Continue\r\n\r\n", "{}", String::from_utf8_lossy(&asked));
    stream
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminated_server_completes_a_hundred_requests_in_flight_and_refuses_new_ones() {
    let database = TestDatabase::empty();
    let (mut shop, admin, ids) = server_with_products(&database, &["Part"]).await;
    // The first statement waits, and what arrives meanwhile shares the next ones. If each waited, a slow machine would reach
    // the end of the patience that a request has for the database.
    database.sql(
        "CREATE SEQUENCE statements;
         CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
             IF nextval('statements') = 1 THEN PERFORM pg_sleep(0.5); END IF; RETURN NULL; END $$;
         CREATE TRIGGER wait BEFORE INSERT ON orders FOR EACH STATEMENT EXECUTE FUNCTION wait()",
    );
    let order = order_of(&ids[0]).to_string();
    let begun = Instant::now();
    let mut orders =
        futures_util::future::join_all((0..100).map(|_| head_of_an_order(&shop, &admin, order.len()))).await;
    // Half of them wait for the database when it is asked to end, and of the others the body is still to come.
    let (sooner, later) = orders.split_at_mut(50);
    for stream in sooner {
        stream.write_all(order.as_bytes()).await.unwrap();
    }
    let before = testkit::number(database.url(), "SELECT count(*) FROM orders");
    shop.signal(Signal::TERM);
    // Without a balancer that has to notice, it listens no more from now on.
    tokio::time::sleep(Duration::from_millis(200)).await;
    let asked = shop.request(Method::GET, "/products", "", &Value::Null).send().await;
    assert!(asked.is_err_and(|error| error.is_connect()), "it still listens");
    for stream in later {
        stream.write_all(order.as_bytes()).await.unwrap();
    }
    assert!(before.is_some_and(|before| before < 50), "they were answered before it was told to end");
    for mut stream in orders {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 201 "), "{answer:?}");
    }
    assert_eq!(shop.ended(Duration::from_secs(30)).await.code(), Some(0));
    println!("ended {:?} after the first order", begun.elapsed());
    assert_eq!(testkit::number(database.url(), "SELECT count(*) FROM orders"), Some(100));
    assert_eq!(testkit::invariants(database.url()), Vec::<String>::new());
}

/// Places an order whose connection meets a fault while its units are taken and its row is written, but nothing is committed.
/// It is answered with 503, and the next try of the same request places it once. Returns how many orders there were meanwhile.
async fn order_amid(fault: impl Fn(&mut Link)) -> Option<i64> {
    let database = TestDatabase::empty();
    let mut link = Link::to(&database);
    link.mend();
    let shop = Instance::start(&[("DATABASE_URL", &link.url(&database))]);
    shop.is_ready_within(START).await;
    let (admin, ids) = products(&shop, database.url(), &["Part"]).await;
    database.sql(
        "CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1); RETURN NULL; END $$;
         CREATE TRIGGER wait AFTER INSERT ON orders FOR EACH STATEMENT EXECUTE FUNCTION wait()",
    );
    let order = order_of(&ids[0]);
    let buy = || shop.request(Method::POST, "/orders", &admin, &order).header("idempotency-key", "one").send();
    let failing = async {
        tokio::time::sleep(Duration::from_millis(400)).await;
        fault(&mut link);
    };
    let (answer, ()) = tokio::join!(buy(), failing);
    is_unavailable(answer.unwrap()).await;
    let placed = || testkit::number(database.url(), "SELECT count(*) FROM orders");
    let meanwhile = placed();
    link.cut();
    link.mend();
    let begun = Instant::now();
    while buy().await.unwrap().status().as_u16() != 201 {
        assert!(begun.elapsed() < Duration::from_secs(20), "it does not recover");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    assert_eq!(placed(), Some(1));
    assert_eq!(testkit::number(database.url(), "SELECT available FROM products"), Some(10_000_000 - 50));
    assert_eq!(testkit::invariants(database.url()), Vec::<String>::new());
    meanwhile
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_whose_connection_is_cut_in_mid_transaction_is_rolled_back_and_placed_once_by_the_next_try() {
    assert_eq!(order_amid(Link::cut).await, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_whose_connection_is_reset_in_mid_transaction_is_rolled_back_and_placed_once_by_the_next_try() {
    assert_eq!(order_amid(Link::reset).await, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_whose_connection_is_slow_in_mid_transaction_is_placed_once_by_the_next_try() {
    // It may be committed while nobody waits for it any more.
    order_amid(|link| link.slow(Duration::from_secs(4))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupt_from_a_terminal_does_not_wait_for_a_balancer() {
    let database = TestDatabase::empty();
    let mut shop = Instance::start(&[("DATABASE_URL", database.url()), ("DRAIN_SECONDS", "60")]);
    shop.is_ready_within(START).await;
    shop.signal(Signal::INT);
    assert_eq!(shop.ended(Duration::from_secs(20)).await.code(), Some(0));
}

/// A server with products that can be ordered, and an admin.
async fn server_with_products(database: &TestDatabase, names: &[&str]) -> (Instance, String, Vec<String>) {
    let shop = Instance::start(&[("DATABASE_URL", database.url()), ("DRAIN_SECONDS", "0")]);
    shop.is_ready_within(START).await;
    let (admin, ids) = products(&shop, database.url(), names).await;
    (shop, admin, ids)
}

/// Adds products that can be ordered, and returns the token of an admin and the products' ids.
async fn products(shop: &Instance, database: &str, names: &[&str]) -> (String, Vec<String>) {
    let admin = shop.sign_up("admin@example.com").await;
    let made = "UPDATE accounts SET role = 'admin', email_verified_at = now() WHERE email = 'admin@example.com'";
    testkit::execute(database, made);
    let mut ids = Vec::new();
    for name in names {
        let part = json!({"name": name, "description": "A part", "category": "BRAKES", "img": "/pictures/x.webp",
            "price": 2, "availableQty": 10_000_000, "minOrder": 50});
        let answer = shop.ask(Method::POST, "/products", &admin, &part).await;
        assert_eq!(answer.status().as_u16(), 201, "{}", answer.text().await.unwrap());
        let answer: Value = answer.json().await.unwrap();
        ids.push(answer["insertedId"].as_str().unwrap().to_owned());
    }
    (admin, ids)
}

fn order_of(id: &str) -> Value {
    json!({"productId": id, "quantity": 50, "name": "Some Body", "phone": "+1 555 0100", "address": "1 Main Street"})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_product_affects_neither_other_pages_nor_readiness() {
    let database = TestDatabase::empty();
    let (shop, admin, ids) = server_with_products(&database, &["Locked part", "Other part"]).await;
    let bystander = shop.sign_up("bystander@example.com").await;
    let lock = database.hold(&format!("SELECT * FROM products WHERE id = '{}' FOR UPDATE", ids[0]));
    let order = order_of(&ids[0]);
    let (locked, mut took) = (std::sync::atomic::AtomicUsize::new(0), Vec::new());
    let customers = futures_util::future::join_all((0..64).map(|_| async {
        let answer = shop.ask(Method::POST, "/orders", &admin, &order).await;
        assert!(matches!(answer.status().as_u16(), 201 | 503), "{}", answer.text().await.unwrap());
        locked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }));
    let other_requests = async {
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
        // Behind the orders for the locked product, it would wait for the three seconds after which they give up.
        assert!(begun.elapsed() < Duration::from_millis(2_500), "{:?}", begun.elapsed());
    };
    tokio::join!(customers, other_requests);
    drop(lock);
    took.sort();
    // Three calls each. Without separate lanes, a single one took three seconds.
    assert!(took[38] < Duration::from_secs(2), "{:?}", &took[30..]);
    assert_eq!(locked.into_inner(), 64);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_customer_whose_orders_block_each_other_delays_no_one_else() {
    let database = TestDatabase::empty();
    let names: Vec<String> = (0..10).map(|n| format!("Part {n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (shop, _, ids) = server_with_products(&database, &names).await;
    let (flood, bystander) = (shop.sign_up("flood@example.com").await, shop.sign_up("bystander@example.com").await);
    // The unpaid orders of an account that never paid are counted one at a time: the first waits for the product, the
    // others for the first.
    let lock = database.hold(&format!("SELECT * FROM products WHERE id = '{}' FOR UPDATE", ids[0]));
    let flooding = futures_util::future::join_all((0..64).map(|nth| {
        let (shop, flood, order) = (&shop, &flood, order_of(&ids[if nth % 2 == 0 { 0 } else { 2 + nth % 8 }]));
        async move {
            let status = shop.ask(Method::POST, "/orders", flood, &order).await.status().as_u16();
            assert!(matches!(status, 201 | 409 | 503), "{status}");
        }
    }));
    let bystander_orders = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        for _ in 0..5 {
            let begun = Instant::now();
            let answer = shop.ask(Method::POST, "/orders", &bystander, &order_of(&ids[1])).await;
            assert_eq!(answer.status().as_u16(), 201, "{}", answer.text().await.unwrap());
            // Behind the other customer's orders, it would wait for the three seconds after which they give up.
            assert!(begun.elapsed() < Duration::from_millis(2_500), "{:?}", begun.elapsed());
        }
    };
    tokio::join!(flooding, bystander_orders);
    drop(lock);
}

#[tokio::test(flavor = "multi_thread")]
async fn three_concurrent_migrations_all_succeed() {
    let database = TestDatabase::empty();
    let running: Vec<_> =
        (0..3).map(|_| command(&["migrate"], &[("DATABASE_URL", database.url())]).spawn().unwrap()).collect();
    for mut one in running {
        assert_eq!(one.wait().unwrap().code(), Some(0));
    }
}
