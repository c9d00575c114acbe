//! Limits on requests: those on all calls, which each copy counts for itself, and those on what is scarce, which all count together.

use std::time::Instant;

use reqwest::Method;
use serde_json::json;
use testkit::TestDatabase;

use crate::START;
use crate::instance::Instance;

/// How many calls a client may make at once.
const BURST: usize = 20;

#[tokio::test(flavor = "multi_thread")]
async fn of_three_copies_one_client_gets_three_bursts_and_no_more() {
    let database = TestDatabase::empty();
    let burst = BURST.to_string();
    let settings = [("DATABASE_URL", database.url()), ("RATE_LIMIT_PER_SECOND", "1"), ("RATE_LIMIT_BURST", &burst)];
    let copies: Vec<Instance> = (0..3).map(|_| Instance::start(&settings)).collect();
    for copy in &copies {
        copy.is_ready_within(START).await;
    }
    let begun = Instant::now();
    let (mut let_in, mut refused) = (0, 0);
    for nth in 0..10 * BURST {
        match copies[nth % 3].ask(Method::POST, "/orders", "", &json!({})).await.status().as_u16() {
            429 => refused += 1,
            401 => let_in += 1,
            other => panic!("answered {other}"),
        }
    }
    // Each copy gives one back a second.
    let meanwhile = 3 * usize::try_from(begun.elapsed().as_secs() + 1).unwrap();
    assert!((3 * BURST..=3 * BURST + meanwhile).contains(&let_in), "{let_in} were let in, {refused} refused");
    assert!(refused > 0, "all {let_in} were let in");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_three_copies_one_client_has_one_burst_of_what_is_scarce() {
    let database = TestDatabase::empty();
    let settings = [
        ("DATABASE_URL", database.url()),
        ("EMAIL_LIMIT_PER_MINUTE", "2"),
        ("EMAIL_LIMIT_BURST", "9"),
        ("TRUSTED_PROXIES", "127.0.0.0/8"),
    ];
    let copies: Vec<Instance> = (0..3).map(|_| Instance::start(&settings)).collect();
    for copy in &copies {
        copy.is_ready_within(START).await;
    }
    let forgot = async |nth: usize, client: &str| {
        let address = json!({"email": format!("nobody-{nth}@example.com")});
        let asked = copies[nth % 3].request(Method::POST, "/auth/password/forgot", "", &address);
        asked.header("x-forwarded-for", client).send().await.unwrap()
    };
    let begun = Instant::now();
    let (mut let_in, mut refused) = (0, 0);
    for nth in 0..27 {
        let answer = forgot(nth, "192.0.2.1").await;
        match answer.status().as_u16() {
            200..=299 => let_in += 1,
            429 => {
                let wait: u64 = answer.headers()["retry-after"].to_str().unwrap().parse().unwrap();
                assert!((1..=30).contains(&wait), "one comes back within half a minute, not after {wait} s");
                refused += 1;
            }
            other => panic!("answered {other}"),
        }
    }
    let back = usize::try_from(begun.elapsed().as_secs() / 30 + 1).unwrap();
    assert!((9..=9 + back).contains(&let_in), "{let_in} were let in, {refused} refused");
    assert!(forgot(0, "192.0.2.2").await.status().is_success(), "another client");
    assert!(copies[0].status("/products").await == 200, "what is not scarce");
}
