//! Outgoing webhooks: a receiver on loopback, and a server that may call it.

use std::time::{Duration, Instant};

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use testkit::{Received, Reply, StandIn};

use crate::checkouts;
use crate::fixtures::{GOOD_CARD, User, admin, card, draft, eventually, fresh_key, inserted, purchase};
use crate::server::{Call, Demo, all, call, delete, get, post, put, run, spawn};

/// How long a delivery and its consequences may take on a busy machine. No test here is about how fast they are.
const SOON: Duration = Duration::from_mins(1);
const ALL: [&str; 5] = ["order.ordered", "order.paid", "order.shipped", "order.cancelled", "order.refunded"];

fn header<'a>(request: &'a Received, name: &str) -> &'a str {
    request.header(name).unwrap()
}

fn body(request: &Received) -> Value {
    serde_json::from_slice(&request.body).unwrap()
}

/// The signature, computed by hand from the Standard Webhooks specification.
fn is_signed(request: &Received, secret: &str) -> bool {
    let key = BASE64_STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let signed = [
        header(request, "webhook-id").as_bytes(),
        b".",
        header(request, "webhook-timestamp").as_bytes(),
        b".",
        &request.body,
    ]
    .concat();
    let signature = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &key), &signed);
    header(request, "webhook-signature") == format!("v1,{}", BASE64_STANDARD.encode(signature))
}

struct Scene {
    shop: Demo,
    boss: User,
    customer: User,
    product: String,
}

impl Scene {
    async fn open(settings: &[(&str, &str)]) -> Self {
        let shop = Demo::open(settings);
        let boss = User::log_in_at(&shop, "admin@example.com", "demo-password").await;
        let customer = User::new_at(&shop).await;
        let product = inserted(&boss.send(post("/products", &draft(10_000, 2.5))).at(&shop).await);
        Self { shop, boss, customer, product }
    }

    async fn add(&self, url: &str, events: &[&str]) -> (String, String) {
        let sent = json!({"url": url, "events": events});
        let added = self.boss.send(post("/webhook-endpoints", &sent)).at(&self.shop).await.is(201).json();
        (added["_id"].as_str().unwrap().to_owned(), added["secret"].as_str().unwrap().to_owned())
    }

    async fn order(&self) -> String {
        inserted(&self.customer.send(post("/orders", &purchase(&self.product, 50))).at(&self.shop).await)
    }

    async fn log(&self, endpoint: &str) -> Vec<Value> {
        let path = format!("/webhook-endpoints/{endpoint}/deliveries");
        let delivered = self.boss.send(get(path)).at(&self.shop).await.is(200).json();
        delivered.as_array().unwrap().clone()
    }
}

#[test]
fn webhook_deliveries_end_to_end() {
    run(async {
        let scene = Scene::open(&[("OUTGOING_WEBHOOKS_ALLOW_PRIVATE", "true")]).await;
        each_event_is_delivered_once_signed_and_logged(&scene).await;
        a_failed_delivery_is_retried_with_the_same_id(&scene).await;
        a_410_response_disables_the_subscription(&scene).await;
        a_receiver_that_never_responds_delays_no_other(&scene).await;
        a_removed_subscription_gets_no_more_deliveries(&scene).await;
        a_checkout_is_placed_and_paid_once(&scene).await;
        no_more_than_twenty_subscriptions_are_allowed(&scene).await;
    });
}

async fn each_event_is_delivered_once_signed_and_logged(scene: &Scene) {
    let everything = StandIn::start(vec![Reply::Json(204, String::new())]).await;
    let shipments = StandIn::start(vec![Reply::Json(200, "thanks".to_owned())]).await;
    let (all, secret) = scene.add(&format!("{}/hooks?shop=1", everything.base()), &ALL).await;
    let (some, other_secret) = scene.add(&shipments.base(), &["order.shipped", "order.shipped"]).await;
    assert_ne!(secret, other_secret);

    let listed = scene.boss.send(get("/webhook-endpoints")).at(&scene.shop).await.is(200);
    assert!(!listed.text().contains("whsec_") && !listed.text().contains("secret"), "{listed}");
    assert_eq!(listed.json()[0]["events"], json!(ALL));
    assert_eq!(listed.json()[1]["events"], json!(["order.shipped"]));

    let (shipped, cancelled) = (scene.order().await, scene.order().await);
    scene.boss.send(put(format!("/orders/status/{shipped}"), &json!({}))).at(&scene.shop).await.is(200);
    scene.customer.send(delete(format!("/orders/{cancelled}"))).at(&scene.shop).await.is(200);
    eventually(SOON, async || scene.log(&all).await.iter().filter(|one| one["state"] == "sent").count() == 4).await;
    eventually(SOON, async || scene.log(&some).await.iter().filter(|one| one["state"] == "sent").count() == 1).await;

    let received = everything.received();
    assert_eq!(received.len(), 4);
    let mut delivered: Vec<(String, String)> = Vec::new();
    for request in &received {
        assert!(is_signed(request, &secret) && !is_signed(request, &other_secret), "{}", request.head);
        let body = body(request);
        assert_eq!(header(request, "webhook-id"), body["id"].as_str().unwrap());
        let order = &body["data"]["order"];
        assert_eq!((&order["email"], &order["price"]), (&json!(scene.customer.email), &json!(125)));
        delivered.push((order["_id"].as_str().unwrap().to_owned(), body["type"].as_str().unwrap().to_owned()));
    }
    delivered.sort();
    let mut expected = [
        (shipped.clone(), "order.ordered".to_owned()),
        (shipped.clone(), "order.shipped".to_owned()),
        (cancelled.clone(), "order.ordered".to_owned()),
        (cancelled, "order.cancelled".to_owned()),
    ];
    expected.sort();
    assert_eq!(delivered, expected);
    let [only] = &shipments.received()[..] else { panic!("expected one call") };
    assert!(is_signed(only, &other_secret));
    assert_eq!((&body(only)["type"], &body(only)["data"]["order"]["_id"]), (&json!("order.shipped"), &json!(shipped)));

    let log = scene.log(&some).await;
    assert_eq!(
        (&log[0]["topic"], &log[0]["orderId"], &log[0]["attempts"], &log[0]["statusCode"], &log[0]["lastError"]),
        (&json!("order.shipped"), &json!(shipped), &json!(1), &json!(200), &Value::Null)
    );
    let path = format!("/webhook-endpoints/{all}/deliveries?limit=3");
    let page = scene.boss.send(get(path)).at(&scene.shop).await.is(200);
    assert_eq!((page.json().as_array().unwrap().len(), page.header("x-total-count")), (3, "4"));
    assert!(page.header("link").contains("rel=\"next\""), "{page}");
    for id in [&all, &some] {
        scene.boss.send(delete(format!("/webhook-endpoints/{id}"))).at(&scene.shop).await.is(200);
    }
}

/// Placed, paid line by line, and a line that was cancelled instead; each event comes once, whoever reports the payment how often.
/// A checkout as the interface renders it, without what a webhook does not tell.
fn without_later_facts(mut shown: Value) -> Value {
    for member in ["refused", "invoices"] {
        shown.as_object_mut().unwrap().remove(member);
    }
    for line in shown["lines"].as_array_mut().unwrap() {
        line.as_object_mut().unwrap().remove("refunded");
    }
    shown
}

async fn a_checkout_is_placed_and_paid_once(scene: &Scene) {
    let receiver = StandIn::start(vec![Reply::Json(204, String::new())]).await;
    let (id, _) = scene.add(&receiver.base(), &["checkout.paid", "checkout.placed"]).await;
    let at_shop = async |user: &User, call: Call| user.send(call).at(&scene.shop).await.is(200).json();
    let place = async || {
        let other = inserted(&scene.boss.send(post("/products", &draft(10_000, 1.5))).at(&scene.shop).await);
        let sent = checkouts::body(&[(&scene.product, 50), (&other, 50)]);
        let placed = scene.customer.send(post("/checkouts", &sent)).at(&scene.shop).await.is(201).json();
        placed["checkoutId"].as_str().unwrap().to_owned()
    };
    let read = async |checkout: &str| at_shop(&scene.customer, get(format!("/checkouts/{checkout}"))).await;
    let pay = async |what: Value, reported_at: String| {
        let opened = at_shop(&scene.customer, post("/create-payment-intent", &what)).await;
        let secret = opened["clientSecret"].as_str().unwrap();
        card(secret, GOOD_CARD).at(&scene.shop).await.is(200);
        let hint = json!({"payment": {"transactionId": secret.split("_secret").next().unwrap()}});
        // Twice, as a provider and a browser do.
        for _ in 0..2 {
            scene.customer.send(call("PATCH", reported_at.clone()).json(&hint)).at(&scene.shop).await.is(200);
        }
    };
    let told = async |least: usize| {
        eventually(SOON, async || receiver.received().len() >= least).await;
        // What is not to come would have come by now.
        tokio::time::sleep(Duration::from_secs(2)).await;
        let calls = receiver.received();
        assert_eq!(calls.len(), least);
        assert!(calls.iter().all(|one| header(one, "webhook-id") == body(one)["id"]));
        calls.iter().map(body).collect::<Vec<_>>()
    };

    let checkout = place().await;
    let placed = read(&checkout).await;
    // Calls that are due together may arrive in another order.
    told(1).await;
    pay(json!({"checkoutId": checkout}), format!("/checkouts/{checkout}")).await;
    let paid = read(&checkout).await;
    let events = told(2).await;
    assert_eq!((&events[0]["type"], &events[1]["type"]), (&json!("checkout.placed"), &json!("checkout.paid")));
    assert_ne!(events[0]["id"], events[1]["id"]);
    // As the interface renders it, without what it alone tells.
    for (event, shown) in events.iter().zip([placed, paid]) {
        assert_eq!(event["data"]["checkout"], without_later_facts(shown));
    }

    // Each line by itself: the last one pays it.
    let checkout = place().await;
    let lines =
        [0, 1].map(async |line: usize| read(&checkout).await["lines"][line]["orderId"].as_str().unwrap().to_owned());
    let [one, other] = lines;
    let (one, other) = (one.await, other.await);
    pay(json!({"orderId": one}), format!("/orders/{one}")).await;
    assert_eq!(told(3).await[2]["type"], "checkout.placed");
    pay(json!({"orderId": other}), format!("/orders/{other}")).await;
    let events = told(4).await;
    assert_eq!((&events[3]["type"], &events[3]["data"]["checkout"]["paid"]), (&json!("checkout.paid"), &json!(true)));
    assert_eq!(events[3]["data"]["checkout"]["_id"], json!(checkout));

    let log = scene.log(&id).await;
    assert_eq!(
        (&log[0]["topic"], &log[0]["checkoutId"], &log[0]["orderId"]),
        (&json!("checkout.paid"), &json!(checkout), &Value::Null)
    );
    scene.boss.send(delete(format!("/webhook-endpoints/{id}"))).at(&scene.shop).await.is(200);
}

async fn a_failed_delivery_is_retried_with_the_same_id(scene: &Scene) {
    let endpoint = StandIn::start(vec![Reply::Json(500, String::new()), Reply::Json(200, String::new())]).await;
    let (id, secret) = scene.add(&endpoint.base(), &["order.ordered"]).await;
    let order = scene.order().await;
    eventually(SOON, async || endpoint.received().len() == 1).await;
    eventually(SOON, async || scene.log(&id).await[0]["lastError"] == "it answered with status 500").await;
    // Changes made meanwhile belong to another event.
    scene.boss.send(put(format!("/orders/status/{order}"), &json!({}))).at(&scene.shop).await.is(200);
    assert_eq!(scene.log(&id).await[0]["statusCode"], 500);
    eventually(SOON, async || scene.log(&id).await[0]["state"] == "sent").await;
    let received = endpoint.received();
    assert_eq!(received.len(), 2);
    assert_eq!(header(&received[0], "webhook-id"), header(&received[1], "webhook-id"));
    assert_eq!(body(&received[0]), body(&received[1]));
    assert_eq!(
        (&body(&received[1])["seq"], &body(&received[1])["data"]["order"]["shippedAt"]),
        (&json!(1), &Value::Null)
    );
    assert!(received.iter().all(|request| is_signed(request, &secret)));
    let log = scene.log(&id).await;
    assert_eq!((&log[0]["attempts"], &log[0]["statusCode"]), (&json!(2), &json!(200)));
    scene.boss.send(delete(format!("/webhook-endpoints/{id}"))).at(&scene.shop).await.is(200);
}

async fn a_410_response_disables_the_subscription(scene: &Scene) {
    let endpoint = StandIn::start(vec![Reply::Json(410, String::new())]).await;
    let (id, _) = scene.add(&endpoint.base(), &["order.ordered"]).await;
    scene.order().await;
    eventually(SOON, async || scene.log(&id).await.first().is_some_and(|one| one["state"] == "dead")).await;
    let listed = scene.boss.send(get("/webhook-endpoints")).at(&scene.shop).await.is(200).json();
    assert!(listed[0]["disabledAt"].is_string(), "{listed}");
    scene.order().await;
    assert_eq!(scene.log(&id).await.len(), 1, "no delivery is queued for it");
    // A dead delivery can be requeued, and fails again.
    let dead = scene.boss.send(get("/outbox?state=dead")).at(&scene.shop).await.is(200).json();
    let delivery = dead[0]["_id"].as_str().unwrap();
    assert_eq!(dead[0]["channel"], "webhook");
    scene.boss.send(post(format!("/outbox/{delivery}/retry"), &json!({}))).at(&scene.shop).await.is(200);
    eventually(SOON, async || scene.log(&id).await[0]["lastError"] == "the endpoint is disabled").await;
    assert_eq!(endpoint.received().len(), 1);
    assert!(listed[0]["disabledReason"].as_str().unwrap().contains("410"), "{listed}");
    // The admins are notified.
    eventually(SOON, async || scene.shop.emails_to("admin@example.com").iter().any(|text| text.contains("webhook")))
        .await;
    // Retrying all deliveries of a subscription enables it.
    let retry = |query: &str| scene.boss.send(post(format!("/outbox/retry{query}"), &json!({}))).at(&scene.shop);
    retry("?endpoint=no-id").await.is(404);
    retry(&format!("?endpoint={delivery}")).await.is(404);
    assert_eq!(retry(&format!("?endpoint={id}")).await.is(200).json(), json!({"modifiedCount": 1}));
    eventually(SOON, async || endpoint.received().len() == 2).await;
    eventually(SOON, async || scene.log(&id).await[0]["state"] == "dead").await;
    assert_eq!(retry("").await.is(200).json(), json!({"modifiedCount": 1}));
    scene.boss.send(delete(format!("/webhook-endpoints/{id}"))).at(&scene.shop).await.is(200);
}

async fn a_receiver_that_never_responds_delays_no_other(scene: &Scene) {
    let hangs = StandIn::start(vec![Reply::Hang]).await;
    let healthy = StandIn::start(vec![Reply::Json(200, String::new())]).await;
    let (sick, _) = scene.add(&hangs.base(), &["order.ordered"]).await;
    let (well, _) = scene.add(&healthy.base(), &["order.ordered"]).await;
    let began = Instant::now();
    // With keys, so that a repeated call does not place a second order; its delivery would be one too many.
    let order = || scene.customer.send(post("/orders", &purchase(&scene.product, 50))).key(&fresh_key());
    let orders: Vec<Call> = (0..100).map(|_| order().at(&scene.shop)).collect();
    let orders = spawn(all(orders));
    // The first delivery arrives while the first calls of the other receiver hang, which they do for ten seconds.
    eventually(SOON, async || !healthy.received().is_empty()).await;
    let waited = scene.log(&sick).await.iter().any(|one| one["lastError"].is_string());
    assert!(!waited, "it waited for the receiver that never responds, {:?}", began.elapsed());
    for answer in orders.await.unwrap() {
        answer.is(201);
    }
    eventually(SOON, async || healthy.received().len() == 100).await;
    // At most two concurrent calls, of ten seconds each: two in every ten seconds that began, and two in the moment
    // until they are counted. Without that limit dozens would hang.
    let most = 2 * (began.elapsed().as_secs() / 10 + 2);
    let hanging = hangs.received().len() as u64;
    assert!(hanging <= most, "{hanging} calls in {:?}", began.elapsed());
    // The call in flight ends by its timeout, and the list shows the subscription as failing.
    let failing = async || {
        let listed = scene.boss.send(get("/webhook-endpoints")).at(&scene.shop).await.is(200).json();
        listed.as_array().unwrap().iter().find(|one| one["_id"] == *sick).unwrap()["failingSince"].is_string()
    };
    eventually(SOON, failing).await;
    for id in [&sick, &well] {
        scene.boss.send(delete(format!("/webhook-endpoints/{id}"))).at(&scene.shop).await.is(200);
    }
}

async fn a_removed_subscription_gets_no_more_deliveries(scene: &Scene) {
    let endpoint = StandIn::start(vec![Reply::Json(200, String::new())]).await;
    let (id, _) = scene.add(&endpoint.base(), &["order.ordered"]).await;
    let remove = || scene.boss.send(delete(format!("/webhook-endpoints/{id}"))).at(&scene.shop);
    assert_eq!(remove().await.is(200).json(), json!({"deletedCount": 1}));
    assert_eq!(remove().await.is(200).json(), json!({"deletedCount": 0}));
    scene.order().await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert!(endpoint.received().is_empty());
    let path = format!("/webhook-endpoints/{id}/deliveries");
    scene.boss.send(get(path)).at(&scene.shop).await.is(404);
}

async fn no_more_than_twenty_subscriptions_are_allowed(scene: &Scene) {
    let sent = json!({"url": "http://127.0.0.1:1/", "events": ["order.refunded"]});
    for _ in 0..20 {
        scene.boss.send(post("/webhook-endpoints", &sent)).at(&scene.shop).await.is(201);
    }
    scene.boss.send(post("/webhook-endpoints", &sent)).at(&scene.shop).await.is(409);
}

#[test]
fn a_webhook_url_must_be_https_and_public() {
    run(async {
        let boss = admin().await;
        let send = |sent: Value| boss.send(post("/webhook-endpoints", &sent));
        for url in [
            "http://erp.example.com/",
            "https://localhost.example.com@127.0.0.1/",
            "https://user:secret@erp.example.com/",
            "https://127.0.0.1/",
            "https://127.1/",
            "https://0x7f.1/",
            "https://10.0.0.1:8443/",
            "https://169.254.169.254/latest/meta-data/",
            "https://100.100.100.200/",
            "https://[::1]/",
            "https://[::ffff:169.254.169.254]/",
            "https://[fe80::1]/",
            "https://0.0.0.0/",
            "ftp://erp.example.com/",
            "erp.example.com",
            "javascript:alert(1)",
            "",
            &format!("https://erp.example.com/{}", "x".repeat(2_000)),
        ] {
            send(json!({"url": url, "events": ["order.paid"]})).await.field("url");
        }
        for events in
            [json!([]), json!(["order.lost"]), json!(["account.reset"]), json!(["order.paid", "x"]), json!(null)]
        {
            send(json!({"url": "https://erp.example.com/", "events": events})).await.field("events");
        }
        send(json!({"url": "https://erp.example.com/", "events": "order.paid"})).await.is(422);
        boss.send(call("GET", "/webhook-endpoints/no-id/deliveries")).await.is(404);
        boss.send(delete("/webhook-endpoints/no-id")).await.is(404);
    });
}

#[test]
fn a_name_that_resolves_to_a_private_address_is_not_called() {
    run(async {
        let scene = Scene::open(&[]).await;
        let inside = StandIn::start(vec![Reply::Json(200, String::new())]).await;
        let port = inside.base().rsplit(':').next().unwrap().to_owned();
        // The name alone does not reveal it.
        let (id, _) = scene.add(&format!("https://localhost:{port}/"), &["order.ordered"]).await;
        scene.order().await;
        eventually(SOON, async || {
            let log = scene.log(&id).await;
            log.first().is_some_and(|one| one["lastError"] == "the address must lead to the public internet")
        })
        .await;
        assert!(inside.received().is_empty());
    });
}
