//! A crash under load.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::json;

use crate::fixtures::{User, draft, fresh_key, inserted, purchase};
use crate::server::{Demo, get, post, run, spawn};

const CUSTOMERS: usize = 8;
const UNITS: u64 = 10_000_000;

struct Purchases {
    user: User,
    acknowledged: Vec<String>,
    /// The key of the last acknowledged order.
    last_key: String,
    /// The key of the order that got no response: committed or not when the process was killed.
    lost_key: String,
}

/// Places orders until the server is gone.
async fn buy(demo: Arc<Demo>, part: String, user: User, crashing: Arc<AtomicBool>) -> Purchases {
    let mut purchases = Purchases { user, acknowledged: Vec::new(), last_key: String::new(), lost_key: String::new() };
    loop {
        let key = fresh_key();
        let call = purchases.user.send(post("/orders", &purchase(&part, 50))).key(&key).at(&demo);
        match call.attempt().await {
            Ok(answer) => {
                purchases.acknowledged.push(inserted(&answer));
                purchases.last_key = key;
            }
            Err(error) => {
                assert!(crashing.load(Ordering::SeqCst), "failed before the crash: {error:?}");
                purchases.lost_key = key;
                return purchases;
            }
        }
    }
}

#[test]
fn acknowledged_orders_survive_a_crash_and_the_units_add_up() {
    run(async {
        let demo = Arc::new(Demo::open(&[]));
        let admin = User::log_in_at(&demo, "admin@example.com", "demo-password").await;
        let part = inserted(&admin.send(post("/products", &draft(10_000_000, 2.0))).at(&demo).await);
        let crashing = Arc::new(AtomicBool::new(false));
        let mut tasks = Vec::new();
        for _ in 0..CUSTOMERS {
            let user = User::new_at(&demo).await;
            tasks.push(spawn(buy(demo.clone(), part.clone(), user, crashing.clone())));
        }
        tokio::time::sleep(Duration::from_secs(4)).await;
        crashing.store(true, Ordering::SeqCst);
        demo.crash();
        let mut all = Vec::new();
        for customer in tasks {
            all.push(customer.await.unwrap());
        }
        demo.open_again();
        let mut ordered = 0;
        let mut acknowledged = 0;
        for customer in &all {
            // A repeated request places nothing.
            let again =
                customer.user.send(post("/orders", &purchase(&part, 50))).key(&customer.last_key).at(&demo).await;
            assert_eq!(Some(&inserted(&again)), customer.acknowledged.last());
            // One that got no response is placed exactly once, whether it had been committed or not.
            let retried = customer.user.send(post("/orders", &purchase(&part, 50))).key(&customer.lost_key);
            let retried = inserted(&retried.at(&demo).await);
            let path = format!("/orders?email={}", customer.user.email);
            let listed = customer.user.send(get(path)).at(&demo).await.is(200).json();
            let listed = listed.as_array().unwrap();
            let found: BTreeSet<&str> = listed.iter().map(|order| order["_id"].as_str().unwrap()).collect();
            let mut confirmed: BTreeSet<&str> = customer.acknowledged.iter().map(String::as_str).collect();
            acknowledged += confirmed.len();
            assert!(confirmed.insert(&retried), "the retry got another request's order");
            assert_eq!(found, confirmed);
            ordered += listed.iter().map(|order| order["quantity"].as_u64().unwrap()).sum::<u64>();
        }
        assert!(acknowledged > CUSTOMERS * 2, "only {acknowledged} orders: too few to prove anything");
        let left = get(format!("/products/{part}")).at(&demo).await.is(200).json()["availableQty"].as_u64().unwrap();
        assert_eq!(left + ordered, UNITS);
        // It continues normally.
        admin.send(get("/allOrders")).at(&demo).await.is(200);
        let next = User::new_at(&demo).await;
        next.send(post("/orders", &purchase(&part, 50))).at(&demo).await.is(201);
        next.send(post("/create-payment-intent", &json!({"price": 100}))).at(&demo).await.is(200);
    });
}
