//! The catalogue from memory: what is acknowledged is in the next answer, whoever asks and however often.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::fixtures::{User, admin, order, product};
use crate::server::{Answer, Demo, call, delete, get, put, run};

/// The server process that announces changes to a shop.
const LISTENER: &str = "SELECT pid::bigint FROM pg_stat_activity WHERE query LIKE 'NOTIFY driveline_listener%' AND datname = current_database()";

/// Asks until the price is this, and says how long that took.
async fn until_price(shop: &Demo, id: &str, price: f64) -> Duration {
    let begun = Instant::now();
    loop {
        let shown = get(format!("/products/{id}")).at(shop).await;
        // At first it may not even be known.
        if shown.status == 200 && shown.json()["price"].as_f64() == Some(price) {
            return begun.elapsed();
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "{shown}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[test]
fn whatever_is_acknowledged_is_in_the_next_answer() {
    run(async {
        let (boss, buyer) = (admin().await, User::new().await);
        let id = product(1_000, 2.0).await;
        let path = format!("/products/{id}");
        for round in 1..=20 {
            let price = 2.0 + f64::from(round) / 4.0;
            boss.send(put(&*path, &json!({"updatedQuantity": 100, "updatedPrice": price}))).await.is(200);
            let now = get(&*path).await.is(200).json();
            assert_eq!((now["price"].as_f64(), &now["availableQty"]), (Some(price), &json!(1_000 + 50 * (round + 1))));
            order(&buyer, &id, 50).await;
            let left = json!(1_000 + 50 * round);
            assert_eq!(get(&*path).await.is(200).json()["availableQty"], left);
            let listed = get("/products?limit=1000").await.is(200).json();
            let listed = listed.as_array().unwrap().iter().find(|product| product["_id"] == json!(id)).unwrap();
            assert_eq!(listed["availableQty"], left);
        }
        boss.send(delete(&*path)).await.is(200);
        get(&*path).await.is(404);
    });
}

/// The headers that may not differ between two responses to the same request.
fn lasting(answer: &Answer) -> Vec<(String, String)> {
    let pairs = answer.headers.iter().map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
    let mut headers: Vec<_> = pairs.collect();
    headers.retain(|(name, _)| !["date", "x-request-id"].contains(&name.as_str()));
    headers.sort();
    headers
}

#[test]
fn a_response_that_is_sent_again_differs_in_its_id_only() {
    run(async {
        let (shop, _) = Demo::serve(&[]);
        for path in
            ["/products?limit=3", "/products?category=BRAKES&sort=-price", "/reviews?limit=5", "/", "/shop", "/login"]
        {
            for encoding in ["identity", "gzip", "br"] {
                let ask = || get(path).at(&shop).header("accept-encoding", encoding);
                let first = ask().await.is(200);
                for _ in 0..3 {
                    let again = ask().await.is(200);
                    assert_eq!(again.body, first.body, "{path} {encoding}");
                    assert_eq!(lasting(&again), lasting(&first), "{path} {encoding}");
                    assert_ne!(again.header("x-request-id"), first.header("x-request-id"), "{path}");
                }
                let tag = first.header("etag").to_owned();
                for _ in 0..2 {
                    let unchanged = ask().header("if-none-match", &*tag).await.is(304);
                    assert!(unchanged.body.is_empty() && unchanged.header("etag") == tag, "{path} {encoding}");
                }
                let head = call("HEAD", path).at(&shop).header("accept-encoding", encoding).await.is(200);
                assert!(head.body.is_empty() && head.header("etag") == tag, "{path} {encoding}");
            }
        }
        // Counted like any other.
        let metrics = metrics(&shop).await;
        let is_counted = |line: &&str| {
            ["requests_total", "\"/reviews\"", "\"200\"", "\"GET\""].iter().all(|part| line.contains(part))
        };
        let line = metrics.lines().find(is_counted);
        let count: u32 = line.unwrap().rsplit(' ').next().unwrap().parse().unwrap();
        assert_eq!(count, 12, "four times in each encoding");
    });
}

const ID: &str = "01890000-0000-7000-8000-000000000001";

/// A shop with one product, and the URL of its database: what is written there, another copy might have written.
async fn shop_of_one_product() -> (Demo, String) {
    let (shop, database) = Demo::serve(&[]);
    testkit::execute(
        &database,
        &format!(
            "INSERT INTO products (id, name, description, category, img, price_cents, min_order, available, created_at,
                name_key, search_key)
            VALUES ('{ID}', 'A', 'A', 'BRAKES', '/a.webp', 100, 50, 0, now(), 'a', 'a')"
        ),
    );
    // From the database at first.
    while !metrics(&shop).await.contains("catalog_snapshot_products 1") {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    until_price(&shop, ID, 1.0).await;
    (shop, database)
}

async fn metrics(shop: &Demo) -> String {
    let address = format!("{}/metrics", shop.metrics.clone().unwrap());
    reqwest::get(address).await.unwrap().text().await.unwrap()
}

fn reprice(database: &str, cents: u32) {
    testkit::execute(database, &format!("UPDATE products SET price_cents = {cents} WHERE id = '{ID}'"));
}

#[test]
fn another_copys_change_is_seen_within_a_second() {
    run(async {
        let (shop, database) = shop_of_one_product().await;
        for cents in 101..=110 {
            reprice(&database, cents);
            let took = until_price(&shop, ID, f64::from(cents) / 100.0).await;
            // A second is the promise; the rest is for the other tests on this machine.
            assert!(took < Duration::from_secs(3), "{took:?}");
        }
    });
}

#[test]
fn with_the_channel_silent_no_answer_is_older_than_five_seconds() {
    run(async {
        let (shop, database) = shop_of_one_product().await;
        let listener = i32::try_from(testkit::number(&database, LISTENER).unwrap()).unwrap();
        let signal = |signal| kill_process(Pid::from_raw(listener).unwrap(), signal).unwrap();
        // It hears nothing and is not told that it does not.
        signal(Signal::STOP);
        reprice(&database, 300);
        let repriced = Instant::now();
        let mut was_old = false;
        while repriced.elapsed() < Duration::from_secs(7) {
            let known_for = repriced.elapsed();
            let shown = get(format!("/products/{ID}")).at(&shop).await.is(200).json();
            let is_old = shown["price"] != json!(3);
            assert!(!is_old || known_for < Duration::from_secs(5), "{known_for:?}");
            was_old |= is_old;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert!(was_old, "the change was announced: the test stopped another process");
        signal(Signal::CONT);
        reprice(&database, 400);
        until_price(&shop, ID, 4.0).await;
    });
}
