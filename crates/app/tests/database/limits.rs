//! Limits on requests, which each copy counts for itself.

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
