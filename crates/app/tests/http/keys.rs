//! Idempotency keys across time, failures and many copies, with access to the server's database.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::Sql;

use crate::checkouts::body as checkout;
use crate::fixtures::{
    User, admin, card, draft, fresh_key, hint, inserted, intent, product, purchase, some_order, status_and_body, stock,
};
use crate::pictures::png;
use crate::server::{Answer, Call, Demo, all, call, get, patch, post, put, run, spawn};

/// A server as in production, its database, and an admin.
async fn open() -> (Demo, String, User) {
    let (shop, database) = Demo::serve(&[]);
    let mut sql = Sql::connect(&database);
    let boss = User::new_at(&shop).await;
    sql.run(&format!("UPDATE accounts SET role = 'admin', email_verified_at = now() WHERE email = '{}'", boss.email));
    crate::fixtures::eventually(Duration::from_secs(3), async || boss.send(get("/user")).at(&shop).await.status == 200)
        .await;
    (shop, database, boss)
}

fn is_mismatch(answer: Answer) {
    assert_eq!(answer.refused(422)["type"], "/problems/idempotency-mismatch");
}

/// Sends a request, deletes its stored response, and repeats it and a different request with the same key.
async fn a_key_outlives_its_response(shop: &Demo, sql: &mut Sql, request: Call, other: Call, status: u16) {
    let key = fresh_key();
    let first = request.clone().key(&key).at(shop).await.is(status);
    is_mismatch(other.clone().key(&key).at(shop).await);
    // As a day later, or after a retryable error: only the created rows still know the key.
    sql.run("DELETE FROM answers");
    is_mismatch(other.clone().key(&key).at(shop).await);
    assert_eq!(status_and_body(&request.key(&key).at(shop).await), status_and_body(&first));
    is_mismatch(other.key(&key).at(shop).await);
}

#[test]
fn a_key_stays_bound_to_its_request_while_the_created_row_exists() {
    run(async {
        let (shop, database, boss) = open().await;
        let sql = &mut Sql::connect(&database);
        let part = inserted(&boss.send(post("/products", &draft(10_000, 2.0))).at(&shop).await);
        let send = |call: Call| boss.send(call);

        let order = |units| send(post("/orders", &purchase(&part, units)));
        a_key_outlives_its_response(&shop, sql, order(50), order(60), 201).await;
        let restock =
            |units| send(put(format!("/products/{part}"), &json!({"updatedQuantity": units, "updatedPrice": 2})));
        a_key_outlives_its_response(&shop, sql, restock(100), restock(7_000), 200).await;
        a_key_outlives_its_response(&shop, sql, send(post("/products", &draft(1, 1.0))), restock(5), 201).await;
        let review = |rating| send(post("/reviews", &json!({"name": "A", "rating": rating, "details": "Sturdy."})));
        a_key_outlives_its_response(&shop, sql, review(5), review(1), 201).await;
        let import = |name: &str| {
            let file =
                format!("name,description,category,price,availableQty,img\n{name},x,BRAKES,2,60,/pictures/x.webp\n");
            send(call("POST", "/products.csv").body("text/csv", file))
        };
        a_key_outlives_its_response(&shop, sql, import("first"), import("second"), 200).await;
        let subscribe = |event: &str| {
            send(post("/webhook-endpoints", &json!({"url": "https://erp.example.com/", "events": [event]})))
        };
        // The response contains a secret that is shown only once; a repeated request is the only way to get it after a
        // lost response.
        a_key_outlives_its_response(&shop, sql, subscribe("order.paid"), subscribe("order.shipped"), 201).await;

        let keep = |path: &str, sent: Value| send(post(path, &sent));
        let list = |name: &str| keep("/lists", json!({"name": name, "lines": []}));
        a_key_outlives_its_response(&shop, sql, list("Monday"), list("Friday"), 201).await;
        let note = |text: &str| keep(&format!("/user/{}/notes", boss.email), json!({"text": text}));
        a_key_outlives_its_response(&shop, sql, note("Calls on Mondays"), list("Tuesday"), 201).await;

        assert_eq!(sql.number("SELECT count(*) FROM orders"), 1);
        assert_eq!(sql.number("SELECT count(*) FROM lists"), 1);
        assert_eq!(sql.number("SELECT count(*) FROM webhook_endpoints"), 1);
        assert_eq!(sql.number("SELECT sum(arriving) FROM restockings"), 100);
        let left = get(format!("/products/{part}")).at(&shop).await.is(200).json()["availableQty"].as_u64();
        assert_eq!(left, Some(10_000 - 50 + 100));
    });
}

#[test]
fn a_key_that_made_a_checkout_or_a_feed_makes_nothing_else() {
    run(async {
        let (ada, boss) = (User::new().await, admin().await);
        let (one, other) = (product(500, 1.0).await, product(500, 1.0).await);
        let key = fresh_key();
        let sent = checkout(&[(&one, 50), (&other, 50)]);
        let bought = ada.send(post("/checkouts", &sent)).key(&key).await.is(201);
        let review = json!({"name": "A", "rating": 5, "details": "Sturdy."});
        for other in [post("/orders", &purchase(&one, 50)), post("/reviews", &review)] {
            is_mismatch(ada.send(other).key(&key).await);
        }
        assert_eq!(stock(&one).await, 450);
        assert_eq!(status_and_body(&ada.send(post("/checkouts", &sent)).key(&key).await), status_and_body(&bought));

        let key = fresh_key();
        let sent =
            call("POST", "/feeds?kind=stock&mode=update&dryRun=true").body("text/csv", "sku,availableQty\nnone,5\n");
        let fed = boss.send(sent.clone()).key(&key).await;
        assert!(fed.is_success(), "{fed}");
        for other in [
            post("/products", &draft(1, 1.0)),
            post("/orders", &purchase(&one, 50)),
            post("/checkouts", &checkout(&[(&one, 50), (&other, 50)])),
        ] {
            is_mismatch(boss.send(other).key(&key).await);
        }
        assert_eq!(boss.send(sent.clone()).key(&key).await.json()["_id"], fed.json()["_id"]);
        let other = call("POST", "/feeds?kind=prices&mode=update").body("text/csv", "sku,price\nnone,5\n");
        is_mismatch(boss.send(other).key(&key).await);
        for other in [post("/products", &draft(1, 1.0)), post("/orders", &purchase(&one, 50))] {
            let key = fresh_key();
            boss.send(other).key(&key).await.is(201);
            is_mismatch(boss.send(sent.clone()).key(&key).await);
        }
    });
}

#[test]
fn a_temporary_refusal_is_not_stored() {
    run(async {
        let customer = User::new().await;
        let placed = some_order(&customer).await;
        let secret = intent(&customer, &placed).await;
        let transaction = secret.split("_secret").next().unwrap();
        let report_paid =
            || customer.send(patch(format!("/orders/{placed}"), &hint(&placed, transaction))).key("one key for it all");
        report_paid().await.refused(402);
        card(&secret, "4000000000000002").await.refused(402);
        report_paid().await.refused(402);
        card(&secret, "4242 4242 4242 4242").await.is(200);
        assert_eq!(report_paid().await.is(200).json(), json!({"modifiedCount": 1}));
    });
}

#[test]
fn a_replayed_response_is_marked_as_replayed() {
    run(async {
        let customer = User::new().await;
        let sent = json!({"name": "A", "rating": 5, "details": "Sturdy."});
        let key = fresh_key();
        let answers = all((0..10).map(|_| customer.send(post("/reviews", &sent)).key(&key))).await;
        let replayed =
            |answers: &[Answer]| answers.iter().filter(|one| one.header("idempotent-replayed") == "true").count();
        assert_eq!(replayed(&answers), 9, "all but the first");
        assert_eq!(replayed(&[customer.send(post("/reviews", &sent)).key(&key).await]), 1);
        let refused = json!({"name": "", "rating": 5, "details": "Sturdy."});
        let key = fresh_key();
        assert_eq!(replayed(&[customer.send(post("/reviews", &refused)).key(&key).await.is(422)]), 0);
        assert_eq!(replayed(&[customer.send(post("/reviews", &refused)).key(&key).await.is(422)]), 1);
    });
}

#[test]
fn a_form_rebuilt_by_the_browser_is_the_same_request() {
    run(async {
        let key = fresh_key();
        let upload = async |boundary: &str, side: u32| {
            let head =
                format!("--{boundary}\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a.png\"\r\n");
            let picture = png(side, side);
            let body = [
                head.as_bytes(),
                b"Content-Type: image/png\r\n\r\n",
                &picture,
                format!("\r\n--{boundary}--\r\n").as_bytes(),
            ]
            .concat();
            let media_type = format!("multipart/form-data; boundary={boundary}");
            admin().await.send(call("POST", "/images").body(&media_type, body)).key(&key).await
        };
        let first = upload("----WebKitFormBoundaryOne", 11).await.is(200);
        let again = upload("----WebKitFormBoundaryTwo", 11).await.is(200);
        assert_eq!(status_and_body(&again), status_and_body(&first));
        is_mismatch(upload("----WebKitFormBoundaryOne", 12).await);
    });
}

/// The server's work so far: transactions, and records of the write-ahead log.
fn work(sql: &mut Sql) -> (i64, i64) {
    (
        sql.number("SELECT sum(xact_commit + xact_rollback) FROM pg_stat_database"),
        sql.number("SELECT wal_records FROM pg_stat_wal"),
    )
}

/// What happened while the product was locked that the copies of an order are for.
struct Waited {
    /// How long it was locked.
    locked_for: Duration,
    /// Whether a call of something else was answered only after the copies.
    delayed_another: bool,
    transactions: i64,
    records: i64,
    answers: Vec<Answer>,
}

async fn copies_wait(shop: &Demo, database: &str, boss: &User, part: &str) -> Waited {
    let (mut sql, mut holding) = (Sql::connect(database), Sql::connect(database));
    let copy = boss.send(post("/orders", &purchase(part, 50))).key(&fresh_key()).at(shop).while_unavailable();
    holding.run(&format!("BEGIN; SELECT FROM products WHERE id = '{part}' FOR UPDATE"));
    let locked = Instant::now();
    let copies = spawn(all((0..100).map(move |_| copy.clone())));
    tokio::time::sleep(Duration::from_millis(500)).await;

    // Each connection writes its statistics with up to a second of delay.
    let before = work(&mut sql);
    let until = Instant::now() + Duration::from_millis(900);
    let mut delayed_another = false;
    while Instant::now() < until {
        get("/health/live").at(shop).await.is(200);
        delayed_another |= copies.is_finished();
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let after = work(&mut sql);
    holding.run("ROLLBACK");
    let locked_for = locked.elapsed();
    let answers = copies.await.unwrap();
    let (transactions, records) = (after.0 - before.0, after.1 - before.1);
    Waited { locked_for, delayed_another, transactions, records, answers }
}

#[test]
fn waiting_copies_cost_the_database_next_to_nothing() {
    run(async {
        let (shop, database, boss) = open().await;
        let part = inserted(&boss.send(post("/products", &draft(10_000, 2.0))).at(&shop).await);
        for _ in 0..5 {
            let waited = copies_wait(&shop, &database, &boss, &part).await;
            // After three seconds the order itself gives up waiting for the product. On a busy machine the product may
            // be locked for so long, which says nothing about the copies. If other calls had to wait for them, it would
            // be each time.
            if waited.locked_for >= Duration::from_millis(2_500) {
                continue;
            }
            assert!(!waited.delayed_another, "another call waited for the copies");
            for answer in &waited.answers {
                assert_eq!(status_and_body(answer), status_and_body(&waited.answers[0]), "{answer}");
            }
            assert_eq!(waited.answers[0].status, 201, "{}", waited.answers[0]);
            let (transactions, records) = (waited.transactions, waited.records);
            assert!(transactions < 200, "{transactions} transactions while all copies waited");
            assert!(records < 400, "{records} records in the write-ahead log while all copies waited");
            return;
        }
        panic!("the product was locked for too long each time, or other calls wait for the copies");
    });
}
