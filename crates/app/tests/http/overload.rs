//! A server to which more comes than it can answer: what is too much is refused at once, and nothing else is. How quick the rest has
//! to be is held to by `make strength STRENGTH=overload`, on a machine that does nothing else.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::json;

use crate::fixtures::{User, draft, eventually, fresh_key, inserted, purchase};
use crate::server::{Answer, Call, Demo, all, get, post, raise_descriptors, run, spawn};

/// Calls at a time: many more than a window that has shrunk lets in.
const CROWD: usize = 1_600;

/// A customer's own orders, which no response is kept for.
fn read(buyer: &User) -> Call {
    buyer.send(get(format!("/orders?email={}", buyer.email))).while_unavailable()
}

/// How many reads the server says that it has refused.
async fn shed(shop: &Demo) -> Option<usize> {
    let metrics = get("/metrics").at(shop).await.is(200).text();
    metrics.lines().find_map(|line| line.strip_prefix("http_shed_total{class=\"read\"} "))?.parse().ok()
}

fn refused(answers: &[Answer]) -> usize {
    let refused = answers.iter().filter(|answer| answer.status == 503);
    refused
        .inspect(|answer| {
            assert!(!answer.header("retry-after").is_empty(), "{answer}");
            assert!(!answer.header("x-request-id").is_empty(), "{answer}");
            assert_eq!(answer.header("x-content-type-options"), "nosniff", "{answer}");
            assert_eq!(answer.json()["type"], "/problems/unavailable", "{answer}");
        })
        .count()
}

#[test]
fn what_is_too_much_is_refused_at_once_and_health_payments_and_the_rest_are_answered() {
    raise_descriptors();
    run(async {
        // Whatever comes is late at a target of a millisecond.
        let shop = Arc::new(Demo::open(&[("QUEUE_DELAY_MS", "1"), ("READ_LIMIT_BURST", "100000")]));
        let buyer = User::new_at(&shop).await;
        let admin = User::log_in_at(&shop, "admin@example.com", "demo-password").await;
        let part = inserted(&admin.send(post("/products", &draft(1_000, 2.0))).at(&shop).await);
        buyer.send(post("/orders", &purchase(&part, 50))).at(&shop).await.is(201);
        let over = Arc::new(AtomicBool::new(false));
        let watching = {
            let (shop, buyer, over) = (Arc::clone(&shop), buyer.clone(), Arc::clone(&over));
            spawn(async move {
                let (mut paying, mut late) = (0, 0);
                while !over.load(Ordering::Relaxed) {
                    get("/health/live").at(&shop).await.is(200);
                    get("/health/ready").at(&shop).await.is(200);
                    let payment = post("/create-payment-intent", &json!({"price": 100}));
                    let answer = buyer.send(payment).while_unavailable().at(&shop).await;
                    // No window refuses it. But it asks the database several times, and while its worker refuses a crowd on a
                    // machine with other work, those waits can use up what a request may wait in all.
                    if refused(std::slice::from_ref(&answer)) == 0 {
                        answer.is(200);
                        paying += 1;
                    } else {
                        late += 1;
                    }
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                (paying, late)
            })
        };
        let (mut reads, mut answered) = (0, 0);
        while shed(&shop).await == Some(0) || answered < 4 * CROWD {
            let answers = all((0..CROWD).map(|_| read(&buyer).at(&shop))).await;
            assert!(answers.iter().all(|answer| [200, 503].contains(&answer.status)), "{:?}", answers.first());
            reads += refused(&answers);
            answered += answers.len();
            assert!(answered < 50 * CROWD, "nothing is refused");
        }
        over.store(true, Ordering::Relaxed);
        let (paying, late) = watching.await.unwrap();
        assert!(paying > late, "{paying} payments were opened, {late} had no answer in time");
        let shed = shed(&shop).await.unwrap();
        assert!(shed > 0 && shed <= reads, "{shed} of {reads} that were refused");
        // A few at a time do not make one another wait, and orders have a window of their own.
        for _ in 0..20 {
            read(&buyer).at(&shop).await.is(200);
        }
        buyer.send(post("/orders", &purchase(&part, 50))).key(&fresh_key()).at(&shop).await.is(201);
        // It opens again: responses that are kept in memory take no time at all.
        eventually(Duration::from_secs(30), async || get("/products?limit=5").at(&shop).await.status == 200).await;
        shop.assert_sound().await;
    });
}

#[test]
fn a_server_that_is_to_refuse_nobody_has_no_window() {
    raise_descriptors();
    run(async {
        let shop = Demo::open(&[("READ_LIMIT_BURST", "100000")]);
        let buyer = User::new_at(&shop).await;
        for _ in 0..4 {
            // Their queue for the database is bounded all the same.
            refused(&all((0..CROWD).map(|_| read(&buyer).at(&shop))).await);
        }
        assert_eq!(shed(&shop).await, Some(0));
    });
}
