//! A crash under load.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;

use crate::checkouts::body;
use crate::fixtures::{GOOD_CARD, User, card, draft, eventually, fresh_key, inserted, purchase};
use crate::server::{Call, Demo, get, patch, post, run, spawn};

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

#[test]
fn a_demo_whose_database_is_killed_loses_nothing_and_sells_again_by_itself() {
    run(async {
        let demo = Demo::open(&[]);
        let (ada, part) = (User::new_at(&demo).await, parts(&demo, 1).await.remove(0));
        let mut placed = BTreeSet::new();
        for killed in [false, true, true, true] {
            if killed {
                demo.kill_database().await;
            }
            // A connection of before may be found dead a moment after the first order went through: that is a 503, and the
            // next try of the same request goes on.
            let next = ada.send(post("/orders", &purchase(&part, 50))).key(&fresh_key());
            let sells = async || {
                let answer = next.clone().while_unavailable().at(&demo).attempt().await;
                answer.is_ok_and(|answer| answer.status == 201 && placed.insert(inserted(&answer)))
            };
            eventually(Duration::from_secs(30), sells).await;
        }
        let listed = ada.send(get(format!("/orders?email={}", ada.email))).at(&demo).await.is(200).json();
        let listed: BTreeSet<String> =
            listed.as_array().unwrap().iter().map(|order| order["_id"].as_str().unwrap().to_owned()).collect();
        assert_eq!(listed, placed);
        demo.assert_sound().await;
    });
}

async fn parts(demo: &Demo, count: usize) -> Vec<String> {
    let admin = User::log_in_at(demo, "admin@example.com", "demo-password").await;
    let mut parts = Vec::new();
    for _ in 0..count {
        parts.push(inserted(&admin.send(post("/products", &draft(1_000_000, 2.0))).at(demo).await));
    }
    parts
}

async fn is_paid(demo: &Demo, user: &User, checkout: &str) -> bool {
    user.send(get(format!("/checkouts/{checkout}"))).at(demo).await.is(200).json()["paid"] == true
}

/// The customer has paid at the provider, and nothing of that is written when the process dies.
#[test]
fn a_checkout_paid_when_the_process_dies_is_settled_whole() {
    run(async {
        let demo = Demo::open(&[]);
        let (ada, parts) = (User::new_at(&demo).await, parts(&demo, 5).await);
        let lines: Vec<(&str, i64)> = parts.iter().map(|part| (part.as_str(), 50)).collect();
        let placed = ada.send(post("/checkouts", &body(&lines))).at(&demo).await.is(201).json();
        let checkout = placed["checkoutId"].as_str().unwrap();
        let opening = post("/create-payment-intent", &json!({"checkoutId": checkout}));
        let secret = ada.send(opening).at(&demo).await.is(200).json()["clientSecret"].as_str().unwrap().to_owned();

        // Nobody settles what somebody else has locked.
        let lock = format!("BEGIN; SELECT FROM orders WHERE checkout_id = '{checkout}' FOR UPDATE");
        let mut held = demo.hold(&lock).await;
        let paid = card(&secret, GOOD_CARD).at(&demo).await.is(200).json();
        assert_eq!(paid["status"], "succeeded");
        assert_eq!(
            held.number("SELECT count(*) FROM orders WHERE payment_state = 'paid' AND checkout_id IS NOT NULL"),
            0
        );
        demo.crash();
        drop(held);
        demo.open_again();

        eventually(Duration::from_mins(1), async || is_paid(&demo, &ada, checkout).await).await;
        for line in placed["lines"].as_array().unwrap() {
            let order = format!("/orders/{}", line["orderId"].as_str().unwrap());
            let order = ada.send(get(order)).at(&demo).await.is(200).json();
            assert_eq!((&order["paid"], &order["payment"]["transactionId"]), (&json!(true), &paid["id"]));
        }
        let invoices = get(format!("/invoices?email={}", ada.email));
        assert_eq!(ada.send(invoices).at(&demo).await.is(200).json().as_array().unwrap().len(), 1);
        let receipts = || demo.emails_to(&ada.email).iter().filter(|text| text.contains("Payment received")).count();
        eventually(Duration::from_secs(20), async || receipts() == 1).await;
        demo.assert_sound().await;
    });
}

/// How often the server is killed, unless `KILLS` says otherwise.
const KILLS: usize = 4;
const BUYERS: usize = 6;

#[expect(clippy::disallowed_methods, reason = "the extent of a test is not an application setting")]
fn kills() -> usize {
    std::env::var("KILLS").map_or(KILLS, |kills| kills.parse().unwrap())
}

/// Somebody who buys several parts at once, over and over, while the server comes and goes.
struct Buyer {
    demo: Arc<Demo>,
    user: User,
    parts: Vec<String>,
    done: Arc<AtomicBool>,
    /// How often the server has been opened again.
    opened: Arc<AtomicUsize>,
}

impl Buyer {
    /// Sends a call until it is answered.
    async fn insists(&self, call: Call) -> crate::server::Answer {
        loop {
            let opened = self.opened.load(Ordering::SeqCst);
            match call.clone().while_unavailable().at(&self.demo).attempt().await {
                Ok(answer) if answer.status < 500 && answer.status != 429 => return answer,
                Ok(_) => tokio::time::sleep(Duration::from_millis(200)).await,
                // Killed: a call that was sent too late for one opening fails again at once.
                Err(_) => {
                    for _ in 0..50 {
                        if self.opened.load(Ordering::SeqCst) > opened {
                            break;
                        }
                        tokio::time::sleep(Duration::from_millis(100)).await;
                    }
                }
            }
        }
    }

    /// Buys until it is enough. Returns the checkouts whose payment succeeded.
    async fn buys(self) -> Vec<String> {
        let mut bought = Vec::new();
        for nth in 0.. {
            if self.done.load(Ordering::SeqCst) {
                break;
            }
            let count = 2 + nth % 7;
            let lines: Vec<(&str, i64)> = (0..count)
                .map(|line| {
                    (self.parts[(nth * 3 + line * 7) % self.parts.len()].as_str(), 50 + i64::try_from(line).unwrap())
                })
                .collect();
            let placing = self.user.send(post("/checkouts", &body(&lines))).key(&fresh_key());
            let placed = self.insists(placing).await;
            assert!(matches!(placed.status, 200 | 201), "{placed}");
            let checkout = placed.json()["checkoutId"].as_str().unwrap().to_owned();
            let opening = self.user.send(post("/create-payment-intent", &json!({"checkoutId": checkout})));
            let opened = self.insists(opening.key(&fresh_key())).await;
            let secret = opened.is(200).json()["clientSecret"].as_str().unwrap().to_owned();
            let confirmed = self.insists(card(&secret, GOOD_CARD)).await;
            assert!(matches!(confirmed.status, 200 | 400), "{confirmed}");
            let transaction = secret.split("_secret").next().unwrap();
            let hint = json!({"payment": {"transactionId": transaction}});
            self.insists(self.user.send(patch(format!("/checkouts/{checkout}"), &hint))).await;
            bought.push(checkout);
        }
        bought
    }
}

#[test]
fn checkouts_bought_while_the_server_is_killed_are_whole_paid_once_and_invoiced_without_a_gap() {
    run(async {
        let demo = Arc::new(Demo::open(&[("RATE_LIMIT_PER_SECOND", "1000"), ("RATE_LIMIT_BURST", "1000")]));
        let parts = parts(&demo, 10).await;
        let (done, opened) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let mut buyers = Vec::new();
        for _ in 0..BUYERS {
            let user = User::new_at(&demo).await;
            let (demo, parts, done, opened) = (demo.clone(), parts.clone(), done.clone(), opened.clone());
            buyers.push(spawn(Buyer { demo, user, parts, done, opened }.buys()));
        }
        for kill in 0..kills() {
            // Never at the same place of the buyers' rounds.
            tokio::time::sleep(Duration::from_millis(1_000 + 137 * (kill as u64 % 7))).await;
            demo.crash();
            demo.open_again();
            opened.fetch_add(1, Ordering::SeqCst);
            demo.assert_sound().await;
        }
        done.store(true, Ordering::SeqCst);
        let mut bought = 0;
        for buyer in buyers {
            bought += buyer.await.unwrap().len();
        }
        assert!(bought > BUYERS * 2, "only {bought} checkouts: too few to prove anything");
        let unpaid = "SELECT count(*) FROM orders WHERE payment_state <> 'paid' AND checkout_id IS NOT NULL";
        eventually(Duration::from_mins(1), async || demo.count(unpaid).await == 0).await;
        let bought = i64::try_from(bought).unwrap();
        assert_eq!(
            demo.count("SELECT count(*) FROM checkouts WHERE placed_at > now() - interval '1 hour'").await,
            bought
        );
        let invoices = "SELECT count(DISTINCT checkout_id) FROM invoices JOIN checkouts ON checkouts.id = checkout_id
            WHERE checkouts.placed_at > now() - interval '1 hour'";
        assert_eq!(demo.count(invoices).await, bought);
        demo.assert_sound().await;
        // A kill that had cost one of them its payment would be noticed.
        let planted = "ALTER TABLE orders DISABLE TRIGGER USER;
            UPDATE orders SET payment_state = 'unpaid', transaction_id = NULL, paid_at = NULL
            WHERE id = (SELECT id FROM orders WHERE payment_state = 'paid' ORDER BY placed_at DESC LIMIT 1)";
        drop(demo.hold(planted).await);
        assert!(!demo.violated().await.is_empty());
    });
}
