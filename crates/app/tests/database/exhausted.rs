//! A database that holds every connection of the pool and answers none, for a while. `EXHAUSTED_SECONDS` says for how long.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::Value;
use testkit::TestDatabase;
use tokio::time::sleep;

use crate::copies::times;
use crate::instance::Instance;
use crate::link::Link;
use crate::{START, order_of, products};

/// By when every request is answered, whatever its calls wait for.
const ANSWERED_WITHIN: Duration = Duration::from_secs(3);
/// By when a balancer hears that the process lives; on a machine that does other things at the same time, most of the times.
const ALIVE_WITHIN: Duration = Duration::from_millis(100);
/// How soon the shop has to sell again.
const BACK_WITHIN: Duration = Duration::from_secs(10);
/// How many ask at the same time: more than there are connections.
const CLIENTS: usize = 40;

/// An answer, as its client saw it.
struct Answer {
    asked: String,
    took: Duration,
    status: u16,
    says_when: bool,
    id: Option<String>,
}

async fn ask(shop: &Instance, method: Method, path: &str, token: &str, body: &Value, key: Option<&str>) -> Answer {
    let (asked, begun) = (format!("{method} {path}"), Instant::now());
    let mut request = shop.request(method, path, token, body);
    if let Some(key) = key {
        request = request.header("idempotency-key", key);
    }
    let answer = request.send().await.unwrap();
    let (status, took) = (answer.status().as_u16(), begun.elapsed());
    let says_when = answer.headers().contains_key("retry-after");
    let body: Value = answer.json().await.unwrap_or_default();
    Answer { asked, took, status, says_when, id: body["insertedId"].as_str().map(str::to_owned) }
}

/// What of the answers a shop without a connection may not give. Reads may be answered from memory.
fn faults(answers: &[Answer]) -> Vec<String> {
    let mut faults = Vec::new();
    for Answer { asked, took, status, says_when, .. } in answers {
        if *took > ANSWERED_WITHIN {
            faults.push(format!("{asked} was answered after {took:?}"));
        }
        match status {
            503 if *says_when => {}
            503 => faults.push(format!("{asked} was answered by a 503 without Retry-After")),
            200 if asked.starts_with("GET") => {}
            201 if *took < ANSWERED_WITHIN => {}
            _ => faults.push(format!("{asked} was answered by {status}")),
        }
    }
    faults
}

/// What is wrong with how soon the process said that it lives.
fn late_signs_of_life(took: &[Duration]) -> Vec<String> {
    let late = took.iter().filter(|took| **took > ALIVE_WITHIN).count();
    let slowest = took.iter().max().copied().unwrap_or_default();
    // Of a short run, beside other tests, one in twenty is the machine's; of a long one, by itself, one in a hundred.
    let tolerated = took.len() / if took.len() > 300 { 100 } else { 20 };
    let too_many = late > tolerated || took.is_empty();
    let mut faults = Vec::new();
    if too_many {
        faults.push(format!("{late} of {} signs of life took longer than {ALIVE_WITHIN:?}", took.len()));
    }
    if slowest > ANSWERED_WITHIN {
        faults.push(format!("a sign of life took {slowest:?}"));
    }
    faults
}

/// Asks for one thing after the other until it is enough.
async fn client(shop: &Instance, nth: usize, token: &str, part: &str, enough: &AtomicBool) -> Vec<Answer> {
    let (mut answers, order) = (Vec::new(), order_of(part));
    for round in 0.. {
        if enough.load(Ordering::SeqCst) {
            break;
        }
        let key = format!("client-{nth}-{round}");
        answers.push(match (nth + round) % 5 {
            0 => ask(shop, Method::POST, "/orders", token, &order, Some(&key)).await,
            1 => ask(shop, Method::GET, &format!("/products/{part}"), "", &Value::Null, None).await,
            2 => ask(shop, Method::GET, "/orders", token, &Value::Null, None).await,
            3 => ask(shop, Method::GET, "/products?search=filter", "", &Value::Null, None).await,
            _ => ask(shop, Method::GET, "/config", "", &Value::Null, None).await,
        });
        sleep(Duration::from_millis(50)).await;
    }
    answers
}

async fn signs_of_life(shop: &Instance, enough: &AtomicBool) -> Vec<Duration> {
    let mut took = Vec::new();
    while !enough.load(Ordering::SeqCst) {
        let begun = Instant::now();
        assert_eq!(shop.status("/health/live").await, 200);
        took.push(begun.elapsed());
        sleep(Duration::from_millis(100)).await;
    }
    took
}

/// Has clients ask while there is no connection, and judges what they got; returns the orders that were acknowledged.
async fn exhausted_for(shop: &Instance, seconds: usize, token: &str, part: &str) -> Vec<String> {
    let enough = AtomicBool::new(false);
    let clients = join_all((0..CLIENTS).map(|nth| client(shop, nth, token, part, &enough)));
    let ending = async {
        sleep(Duration::from_secs(u64::try_from(seconds).unwrap())).await;
        enough.store(true, Ordering::SeqCst);
    };
    let (answers, alive, ()) = tokio::join!(clients, signs_of_life(shop, &enough), ending);
    let answers: Vec<Answer> = answers.into_iter().flatten().collect();
    let slowest = answers.iter().map(|answer| answer.took).max().unwrap();
    let refused = answers.iter().filter(|answer| answer.status == 503).count();
    let slowest_sign = alive.iter().max().unwrap();
    println!(
        "{seconds} s without a connection: {} answers, {refused} of them 503, the slowest after {} ms; the slowest of {} signs of life {} ms",
        answers.len(),
        slowest.as_millis(),
        alive.len(),
        slowest_sign.as_millis()
    );
    assert!(refused > 0, "there was a connection");
    assert_eq!([faults(&answers), late_signs_of_life(&alive)].concat(), Vec::<String>::new());
    answers.into_iter().filter(|answer| answer.status == 201).filter_map(|answer| answer.id).collect()
}

/// Waits until an order is placed.
async fn sells(shop: &Instance, token: &str, part: &str, key: &str) -> String {
    let begun = Instant::now();
    loop {
        let answer = ask(shop, Method::POST, "/orders", token, &order_of(part), Some(key)).await;
        if answer.status == 201 {
            println!("an order after {} ms", begun.elapsed().as_millis());
            return answer.id.unwrap();
        }
        assert!(begun.elapsed() < BACK_WITHIN, "no order within {BACK_WITHIN:?}");
        sleep(Duration::from_millis(100)).await;
    }
}

/// The acknowledged orders are there, and the books are right.
fn is_kept(database: &TestDatabase, acknowledged: &[String]) {
    let ids: Vec<String> = acknowledged.iter().map(|id| format!("'{id}'")).collect();
    let kept = format!("SELECT count(*) FROM orders WHERE id IN ({})", ids.join(", "));
    assert_eq!(testkit::number(database.url(), &kept), Some(i64::try_from(ids.len()).unwrap()));
    assert_eq!(testkit::invariants(database.url()), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_server_answers_nothing_every_request_is_answered_and_afterwards_the_shop_sells_by_itself() {
    let database = TestDatabase::empty();
    let mut link = Link::to(&database);
    link.mend();
    let settings = [("DATABASE_URL", &*link.url(&database)), ("RATE_LIMIT_BURST", "100000")];
    let mut shop = Instance::start(&settings);
    shop.is_ready_within(START).await;
    let (admin, ids) = products(&shop, database.url(), &["Oil filter"]).await;
    let before = sells(&shop, &admin, &ids[0], "before").await;

    link.stall(true);
    let mut acknowledged = exhausted_for(&shop, times("EXHAUSTED_SECONDS", 8), &admin, &ids[0]).await;
    link.stall(false);
    acknowledged.push(before);
    acknowledged.push(sells(&shop, &admin, &ids[0], "afterwards").await);
    assert!(shop.is_running());
    is_kept(&database, &acknowledged);
}

#[tokio::test(flavor = "multi_thread")]
async fn while_locks_hold_every_connection_every_request_is_answered_and_afterwards_the_shop_sells_by_itself() {
    let database = TestDatabase::empty();
    let settings = [("DATABASE_URL", database.url()), ("RATE_LIMIT_BURST", "100000")];
    let mut shop = Instance::start(&settings);
    shop.is_ready_within(START).await;
    let (admin, ids) = products(&shop, database.url(), &["Oil filter"]).await;
    let lock = database.hold("LOCK TABLE products, accounts, orders, answers IN ACCESS EXCLUSIVE MODE");
    let mut acknowledged = exhausted_for(&shop, times("EXHAUSTED_SECONDS", 8), &admin, &ids[0]).await;
    drop(lock);
    acknowledged.push(sells(&shop, &admin, &ids[0], "afterwards").await);
    assert!(shop.is_running());
    is_kept(&database, &acknowledged);
}

/// A server that answers once, after six seconds, and does not say when to come again.
fn slow_server() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4_096]);
        std::thread::sleep(ANSWERED_WITHIN * 2);
        let _ = stream.write_all(b"HTTP/1.1 503 \r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    });
    format!("http://{address}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_waits_add_up_to_six_seconds_is_noticed() {
    let begun = Instant::now();
    let answer = reqwest::get(slow_server()).await.unwrap();
    let answer = Answer {
        asked: "GET /products".to_owned(),
        took: begun.elapsed(),
        status: answer.status().as_u16(),
        says_when: answer.headers().contains_key("retry-after"),
        id: None,
    };
    let late = vec![answer.took];
    let found = [faults(&[answer]), late_signs_of_life(&late)].concat();
    for words in ["was answered after 6", "without Retry-After", "1 of 1 signs of life", "a sign of life took 6"] {
        assert!(found.iter().any(|fault| fault.contains(words)), "{words}: {found:?}");
    }
    assert_eq!(found.len(), 4, "{found:?}");
}
