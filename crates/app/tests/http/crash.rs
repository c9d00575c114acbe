//! A power cut in the middle of business.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::json;

use crate::shop::{Demo, get, post, run, spawn};
use crate::things::{Person, draft, fresh_key, inserted, purchase};

const BUYERS: usize = 8;
const UNITS: u64 = 10_000_000;

struct Purchases {
    person: Person,
    acknowledged: Vec<String>,
    /// The key of the last order that was acknowledged.
    last_key: String,
}

/// Buys until the shop goes dark.
async fn buy(demo: Arc<Demo>, part: String, person: Person, over: Arc<AtomicBool>) -> Purchases {
    let mut taken = Purchases { person, acknowledged: Vec::new(), last_key: String::new() };
    loop {
        let key = fresh_key();
        let call = taken.person.send(post("/orders", &purchase(&part, 50))).key(&key).at(&demo);
        match call.attempt().await {
            Ok(answer) => {
                taken.acknowledged.push(inserted(&answer));
                taken.last_key = key;
            }
            Err(error) => {
                assert!(over.load(Ordering::SeqCst), "before the end: {error:?}");
                return taken;
            }
        }
    }
}

#[test]
fn what_was_acknowledged_before_a_power_cut_is_there_after_it_and_the_units_add_up() {
    run(async {
        let demo = Arc::new(Demo::open(&[]));
        let admin = Person::log_in_at(&demo, "admin@example.com", "demo-password").await;
        let part = inserted(&admin.send(post("/products", &draft(10_000_000, 2.0))).at(&demo).await);
        let over = Arc::new(AtomicBool::new(false));
        let mut buying = Vec::new();
        for _ in 0..BUYERS {
            let person = Person::new_at(&demo).await;
            buying.push(spawn(buy(demo.clone(), part.clone(), person, over.clone())));
        }
        tokio::time::sleep(Duration::from_secs(4)).await;
        over.store(true, Ordering::SeqCst);
        demo.crash();
        let mut all = Vec::new();
        for customer in buying {
            all.push(customer.await.unwrap());
        }
        demo.open_again();
        let mut ordered = 0;
        let mut acknowledged = 0;
        for customer in &all {
            // The answers are remembered as well: the same request again places nothing.
            let again =
                customer.person.send(post("/orders", &purchase(&part, 50))).key(&customer.last_key).at(&demo).await;
            assert_eq!(Some(&inserted(&again)), customer.acknowledged.last());
            let path = format!("/orders?email={}", customer.person.email);
            let listed = customer.person.send(get(path)).at(&demo).await.is(200).json();
            let listed = listed.as_array().unwrap();
            let found: BTreeSet<&str> = listed.iter().map(|order| order["_id"].as_str().unwrap()).collect();
            let told: BTreeSet<&str> = customer.acknowledged.iter().map(String::as_str).collect();
            // The one whose answer never came may have been placed, or not.
            assert!(told.is_subset(&found), "lost: {:?}", told.difference(&found));
            assert!(found.len() <= told.len() + 1, "{} of {}", found.len(), told.len());
            acknowledged += told.len();
            ordered += listed.iter().map(|order| order["quantity"].as_u64().unwrap()).sum::<u64>();
        }
        assert!(acknowledged > BUYERS * 2, "only {acknowledged} orders: that was no business to be cut");
        let left = get(format!("/products/{part}")).at(&demo).await.is(200).json()["availableQty"].as_u64().unwrap();
        assert_eq!(left + ordered, UNITS);
        // It goes on as if nothing had been.
        admin.send(get("/allOrders")).at(&demo).await.is(200);
        let next = Person::new_at(&demo).await;
        next.send(post("/orders", &purchase(&part, 50))).at(&demo).await.is(201);
        next.send(post("/create-payment-intent", &json!({"price": 100}))).at(&demo).await.is(200);
    });
}
