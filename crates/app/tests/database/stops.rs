//! A Postgres that is stopped at once under load, again and again. `STOPS` says how often.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::Value;
use testkit::TestDatabase;

use crate::copies::times;
use crate::instance::Instance;
use crate::link::unprivileged;
use crate::server::{Server, initialise, programs};
use crate::{START, order_of, products};

/// How soon the shop has to sell again once its database is back.
const BACK_WITHIN: Duration = Duration::from_secs(10);

/// Places orders until it is enough, each under a key of its own for as long as it is not answered. Returns the ids.
pub(crate) async fn buy(shop: &Instance, nth: usize, token: &str, part: &str, enough: &AtomicBool) -> Vec<String> {
    let mut placed = Vec::new();
    let order = order_of(part);
    while !enough.load(Ordering::SeqCst) {
        let key = format!("buyer-{nth}-{}", placed.len());
        loop {
            let request = shop.request(Method::POST, "/orders", token, &order).header("idempotency-key", &key);
            let answer = request.send().await.unwrap();
            match answer.status().as_u16() {
                201 => {
                    let answer: Value = answer.json().await.unwrap();
                    placed.push(answer["insertedId"].as_str().unwrap().to_owned());
                    break;
                }
                503 => assert!(answer.headers().contains_key("retry-after"), "a 503 without Retry-After"),
                status => unreachable!("{status}: {:?}", answer.text().await),
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    placed
}

/// What is wrong after all: orders that were acknowledged and are not there, or twice, and broken invariants.
pub(crate) fn faults(url: &str, placed: &[String]) -> Vec<String> {
    let mut faults = testkit::invariants(url);
    let ids: Vec<String> = placed.iter().map(|id| format!("'{id}'")).collect();
    let kept = format!("SELECT count(*) FROM orders WHERE id IN ({})", ids.join(", "));
    let (kept, all) =
        (testkit::number(url, &kept).unwrap(), testkit::number(url, "SELECT count(*) FROM orders").unwrap());
    let acknowledged = i64::try_from(placed.len()).unwrap();
    if (kept, all) != (acknowledged, acknowledged) {
        faults.push(format!("{acknowledged} orders were acknowledged, {kept} of them are there, {all} in all"));
    }
    faults
}

#[tokio::test(flavor = "multi_thread")]
async fn a_postgres_that_is_stopped_at_once_under_load_loses_no_acknowledged_order() {
    let Some(programs) = programs() else { return };
    // Its server says which user may run another one.
    let owner = unprivileged(TestDatabase::empty().url());
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::chown(folder.path(), Some(owner), None).unwrap();
    let data = folder.path().join("data");
    initialise(&programs, &data, owner);
    let mut server = Server::start(&programs, &data, owner);
    let mut shop = Instance::start(&[("DATABASE_URL", &server.url()), ("RATE_LIMIT_BURST", "100000")]);
    shop.is_ready_within(START).await;
    let (_, ids) = products(&shop, &server.url(), &["Oil filter"]).await;
    let part = ids[0].as_str();
    let buyers = join_all((0..8).map(|nth| {
        let (shop, email) = (&shop, format!("buyer-{nth}@example.com"));
        async move { shop.sign_up(&email).await }
    }))
    .await;

    let (enough, stops) = (AtomicBool::new(false), times("STOPS", 2));
    let buying = buyers.iter().enumerate().map(|(nth, token)| buy(&shop, nth, token, part, &enough));
    let url = server.url();
    let stopping = async {
        let mut longest = Duration::ZERO;
        for _ in 0..stops {
            tokio::time::sleep(Duration::from_millis(700)).await;
            tokio::task::block_in_place(|| server.stop_at_once());
            tokio::time::sleep(Duration::from_millis(300)).await;
            tokio::task::block_in_place(|| server.start_again());
            let begun = Instant::now();
            let orders = || testkit::number(&url, "SELECT count(*) FROM orders").unwrap();
            let before = orders();
            while orders() <= before {
                assert!(begun.elapsed() < BACK_WITHIN, "no order for {BACK_WITHIN:?} after the database's return");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            longest = longest.max(begun.elapsed());
        }
        enough.store(true, Ordering::SeqCst);
        longest
    };
    let (placed, longest) = tokio::join!(join_all(buying), stopping);
    let placed = placed.concat();
    assert!(placed.len() > stops * 10, "only {} orders prove nothing", placed.len());
    println!("{stops} stops, {} orders, sold again after {longest:?} at most", placed.len());
    assert_eq!(faults(&url, &placed), Vec::<String>::new());
    // And a loss would be noticed.
    testkit::execute(
        &url,
        &format!("ALTER TABLE orders DISABLE TRIGGER ALL; DELETE FROM orders WHERE id = '{}'", placed[0]),
    );
    assert!(!faults(&url, &placed).is_empty());
    assert!(shop.is_running());
}
