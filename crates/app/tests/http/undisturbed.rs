//! What can be tested only on a server without other traffic or with settings of its own: its last admin, rate limits, tokens
//! signed with its own secret, an unavailable database, and what a day's orders sum up to.

use std::time::{Duration, Instant};

use aws_lc_rs::hmac;
use serde_json::{Value, json};

use crate::fixtures::{GOOD_CARD, User, card, draft, hint, inserted, purchase};
use crate::google::Browser;
use crate::pages::page_with;
use crate::server::{Answer, Demo, all, call, delete, get, patch, post, run};
use crate::tokens::{SECRET, part, signed};

const BURST: usize = 60;

#[test]
fn tests_that_need_a_server_of_their_own() {
    run(async {
        let demo = Demo::open(&[("RATE_LIMIT_PER_SECOND", "1"), ("RATE_LIMIT_BURST", "60"), ("TOKEN_SECRET", SECRET)]);
        a_correctly_signed_token_cannot_claim_a_role(&demo).await;
        a_page_embeds_the_api_responses_of_its_first_screen(&demo).await;
        a_frozen_database_is_reported_in_time_and_loses_nothing(&demo).await;
        the_overview_counts_todays_orders(&demo).await;
        the_last_admin_cannot_be_demoted_or_removed(&demo).await;
        google_creates_a_missing_account(&demo).await;
        writes_are_rate_limited_and_reads_still_work(&demo).await;
    });
}

async fn a_correctly_signed_token_cannot_claim_a_role(demo: &Demo) {
    let admin = User::log_in_at(demo, "admin@example.com", "demo-password").await;
    let (header, claims) = (part(&admin.token, 0), part(&admin.token, 1));
    let status = async |claims: &Value| {
        get("/user").token(&signed(SECRET, hmac::HMAC_SHA256, &header, claims)).at(demo).await.status
    };
    assert_eq!(status(&claims).await, 200, "the test itself signs wrongly");
    // Another user's session does not give its user an admin's permissions.
    let customer = User::log_in_at(demo, "customer@example.com", "demo-password").await;
    let mut mixed = claims.clone();
    mixed["sid"] = part(&customer.token, 1)["sid"].clone();
    let mixed_status = status(&mixed).await;
    assert!(matches!(mixed_status, 401 | 403), "{mixed_status}");
    // A role claim in a token is ignored.
    let mut claiming_admin = part(&customer.token, 1);
    claiming_admin["role"] = json!("admin");
    claiming_admin["admin"] = json!(true);
    assert_eq!(status(&claiming_admin).await, 403);
}

async fn a_page_embeds_the_api_responses_of_its_first_screen(demo: &Demo) {
    let home_page = || get("/").at(demo);
    let before = page_with(2, home_page()).await;
    is_unchanged(demo, &before).await;

    let hostile = "</script><script>alert(1)</script><!--";
    let admin = User::log_in_at(demo, "admin@example.com", "demo-password").await;
    let mut part = draft(1_000, 2.0);
    part["name"] = json!(hostile);
    admin.send(post("/products", &part)).at(demo).await.is(201);
    let review = json!({"name": "Robin", "rating": 4, "details": hostile});
    admin.send(post("/reviews", &review)).at(demo).await.is(201);

    let page = page_with(2, home_page().header("if-none-match", before.header("etag"))).await;
    let embedded = page.embedded().unwrap();
    let products = get("/products?limit=4").at(demo).await.is(200);
    assert_eq!(products.json()[0]["name"], hostile);
    let expected = json!([
        {
            "url": "/products?limit=4",
            "headers": {"x-total-count": products.header("x-total-count"), "link": products.header("link")},
            "body": products.json(),
        },
        {"url": "/reviews?limit=3", "headers": {}, "body": get("/reviews?limit=3").at(demo).await.is(200).json()},
    ]);
    assert_eq!(embedded, expected);
    assert!(!page.text().contains("<script>alert"), "{page}");
    is_unchanged(demo, &page).await;
}

/// Asserts that a browser that has the home page is not sent it again. If the server is too busy to embed the data in
/// time, the page is another one for once.
async fn is_unchanged(demo: &Demo, page: &Answer) {
    let begun = Instant::now();
    let unchanged = loop {
        let again = get("/").header("accept", "text/html").header("if-none-match", page.header("etag")).at(demo).await;
        if again.status == 304 {
            break again;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{again}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    assert_eq!(unchanged.header("cache-control"), "public, no-cache", "{unchanged}");
}

async fn a_frozen_database_is_reported_in_time_and_loses_nothing(demo: &Demo) {
    let admin = User::log_in_at(demo, "admin@example.com", "demo-password").await;
    let part = inserted(&admin.send(post("/products", &draft(1_000, 2.0))).at(demo).await);
    let customer = User::log_in_at(demo, "customer@example.com", "demo-password").await;
    demo.freeze_database();
    let frozen = Instant::now();
    loop {
        let begun = Instant::now();
        let home = get("/").header("accept", "text/html").at(demo).await.is(200);
        assert!(home.text().contains("Top Hot Deals"), "{home}");
        // A page that waited for its data would take six seconds, until the server gives up a call of the database.
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
        // A page that was finished just before the database froze may be sent again for a moment, data and all.
        if home.embedded().is_none() {
            break;
        }
        assert!(frozen.elapsed() < Duration::from_secs(10), "{home}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let begun = Instant::now();
    let place_order =
        || customer.send(post("/orders", &purchase(&part, 50))).key("while-away").at(demo).while_unavailable();
    let readiness = || get("/health/ready").at(demo).while_unavailable();
    let answers = all([place_order(), customer.send(get("/orders")).at(demo).while_unavailable(), readiness()]).await;
    let took = begun.elapsed();
    get("/health/live").at(demo).await.is(200);
    demo.thaw_database();
    for answer in &answers[..2] {
        assert_eq!(answer.status, 503, "{answer}");
        assert!(answer.header("retry-after").parse::<u64>().is_ok_and(|seconds| seconds > 0), "{answer}");
        assert_eq!(answer.json()["type"], "/problems/unavailable");
    }
    // Every instance uses this database: a balancer that removed them all could not send a Retry-After.
    assert_eq!(answers[2].status, 200);
    assert!(took < Duration::from_secs(45), "{took:?}");
    let begun = Instant::now();
    while readiness().await.status != 200 {
        assert!(begun.elapsed() < Duration::from_secs(30), "it does not recover");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    // The repeated order is placed once, whether or not the first one reached the database.
    while place_order().await.status == 503 {
        assert!(begun.elapsed() < Duration::from_secs(90), "it does not recover");
        // Writes are limited to one a second here.
        tokio::time::sleep(Duration::from_millis(1_500)).await;
    }
    place_order().await.is(201);
    let orders = customer.send(get("/orders")).at(demo).await.is(200).json();
    let ordered = orders.as_array().unwrap().iter().filter(|order| order["productId"] == *part).count();
    let left = get(format!("/products/{part}")).at(demo).await.is(200).json()["availableQty"].clone();
    assert_eq!((ordered, left), (1, json!(950)));
}

async fn the_overview_counts_todays_orders(demo: &Demo) {
    let admin = User::log_in_at(demo, "admin@example.com", "demo-password").await;
    let customer = User::new_at(demo).await;
    let overview = async || admin.send(get("/overview")).at(demo).await.is(200).json();
    let part = inserted(&admin.send(post("/products", &draft(5_000, 2.5))).at(demo).await);
    let before = overview().await;
    let mut orders = Vec::new();
    for units in [50, 60] {
        orders.push(inserted(&customer.send(post("/orders", &purchase(&part, units))).at(demo).await));
    }
    let started = customer.send(post("/create-payment-intent", &json!({"orderId": orders[0]}))).at(demo).await.is(200);
    let secret = started.json()["clientSecret"].as_str().unwrap().to_owned();
    let paid = card(&secret, GOOD_CARD).at(demo).await.is(200).json();
    let paid = hint(&orders[0], paid["id"].as_str().unwrap());
    customer.send(patch(format!("/orders/{}", orders[0]), &paid)).at(demo).await.is(200);
    let after = overview().await;

    // At midnight the period moves on by a day.
    if before["days"][29]["day"] == after["days"][29]["day"] {
        for place in ["/orders", "/days/29/orders", "/revenue", "/days/29/revenue"] {
            let [before, after] = [&before, &after].map(|seen| seen.pointer(place).unwrap().as_f64().unwrap());
            let grown = if place.ends_with("orders") { 2.0 } else { 125.0 };
            assert!((after - before - grown).abs() < 0.005, "{place}: {before}, then {after}");
        }
    }
}

async fn the_last_admin_cannot_be_demoted_or_removed(demo: &Demo) {
    let admin = User::log_in_at(demo, "admin@example.com", "demo-password").await;
    let role = "/user/admin/admin@example.com";
    admin.send(delete(role)).at(demo).await.is(409);
    admin.send(delete("/user/admin@example.com")).at(demo).await.is(409);
    admin.send(get("/user")).at(demo).await.is(200);
    let second = User::log_in_at(demo, "customer@example.com", "demo-password").await;
    admin.send(call("PUT", "/user/admin/customer@example.com")).at(demo).await.is(200);
    // Two admins who revoke each other's role concurrently leave one admin.
    let answers =
        all([admin.send(delete("/user/admin/customer@example.com")).at(demo), second.send(delete(role)).at(demo)])
            .await;
    let done = answers.iter().filter(|answer| answer.status == 200 && answer.json()["modifiedCount"] == 1).count();
    assert_eq!(done, 1, "{} {}", answers[0], answers[1]);
    // So do two who remove each other.
    let (left, other) = if answers[0].status == 200 { (&admin, &second) } else { (&second, &admin) };
    left.send(call("PUT", format!("/user/admin/{}", other.email))).at(demo).await.is(200);
    let answers = all([
        left.send(delete(format!("/user/{}", other.email))).at(demo),
        other.send(delete(format!("/user/{}", left.email))).at(demo),
    ])
    .await;
    let done = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(done, 1, "{} {}", answers[0], answers[1]);
    let still_there = if answers[0].status == 200 { left } else { other };
    still_there.send(get("/user")).at(demo).await.is(200);
}

async fn google_creates_a_missing_account(demo: &Demo) {
    let (name, email) = ("Robin Vale", "robin.vale@example.com");
    let mut browser = Browser::at(demo);
    let answer = browser.sign_in("/about", name).await.is(303);
    assert_eq!(answer.header("location"), "/about");
    assert_eq!(answer.json(), json!({"email": email, "displayName": name, "photoURL": null}));
    let me = get("/auth/me").session(browser.session().unwrap()).at(demo).await.is(200).json();
    assert_eq!(me["email"], email);
}

async fn writes_are_rate_limited_and_reads_still_work(demo: &Demo) {
    let sent = json!({"email": "reader@example.com"});
    let mut refused = None;
    for _ in 0..=BURST + 30 {
        let answer = post("/newsletter", &sent).at(demo).await;
        if answer.status != 202 {
            refused = Some(answer.is(429));
            break;
        }
    }
    let refused = refused.expect("no request was limited");
    assert!(refused.header("retry-after").parse::<u64>().unwrap() >= 1, "{refused}");
    assert_eq!(refused.json()["type"], "/problems/rate-limited");
    get("/products").at(demo).await.is(200);
    // Another address has its own limit.
    post("/newsletter", &sent).from([127, 0, 0, 3]).at(demo).await.is(202);
}
