//! Every operation that takes an admin's permission and changes or exports something leaves an entry in the audit trail. The list of
//! operations is the API's description, which is made of the route table: a new one fails here until it is called below.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::time::Duration;

use serde_json::{Value, json};
use testkit::fake_stripe::{Endpoint, FakeStripe, Keys, Outcome, Request, Settings};
use testkit::{Reply, StandIn};

use crate::checkouts;
use crate::fixtures::{User, draft, eventually, inserted, order, pay, product, purchase, some_order, unique};
use crate::pictures::{multipart, png};
use crate::reservations::shop_with;
use crate::server::{Answer, Call, Demo, call, delete, get, patch, post, put, run};

/// What is called at a shop of its own, whose payment provider and whose receiver of webhooks fail on demand.
const AFTER_FAILURES: [&str; 7] = [
    "retryRefund",
    "recordBankTransfer",
    "acknowledgeRefund",
    "acknowledgeDispute",
    "sendPaymentBack",
    "retryDelivery",
    "retryDeliveries",
];

struct Desk {
    boss: User,
    customer: User,
}

impl Desk {
    async fn send(&self, call: Call) -> Answer {
        let answer = self.boss.send(call).await;
        assert!(answer.is_success(), "{answer}");
        answer
    }

    async fn add(&self, path: &str, body: &Value) -> String {
        inserted(&self.send(post(path, body)).await)
    }
}

async fn change_products(desk: &Desk) {
    let part = desk.add("/products", &draft(1_000, 2.5)).await;
    let path = |more: &str| format!("/products/{part}{more}");
    desk.send(patch(path(""), &json!({"name": format!("Renamed {}", unique())}))).await;
    desk.send(put(path(""), &json!({"updatedQuantity": 5, "updatedPrice": 3}))).await;
    desk.send(put(path("/images"), &json!({"images": ["/images/a.webp", "/images/b.webp"]}))).await;
    desk.send(put(path("/numbers"), &json!({"numbers": [{"kind": "oe", "number": format!("OE {}", unique())}]}))).await;
    desk.send(put(path("/tiers"), &json!({"tiers": [{"from": 100, "price": 2}]}))).await;
    let camry = json!({"make": "Toyota", "model": "Camry", "yearFrom": 2014, "yearTo": 2014});
    desk.send(put(path("/fitments"), &json!({"fitments": [camry]}))).await;
    desk.send(post(path("/stock-corrections"), &json!({"delta": -1, "reason": "breakage"}))).await;
    desk.send(delete(path(""))).await;
    desk.send(post(path("/restore"), &json!({}))).await;
    let (media_type, body) = multipart("image", "part.png", "image/png", &png(8, 8));
    desk.send(call("POST", "/images").body(&media_type, body)).await;
    let row =
        format!("name,description,category,price,availableQty,img\nFiled {},A part.,BRAKES,3,100,/p.png\n", unique());
    desk.send(call("POST", "/products.csv").body("text/csv", row)).await;
    desk.send(get("/products.csv?category=BRAKES")).await;
}

async fn change_words(desk: &Desk) {
    for (path, body, changed) in [
        ("/brands", json!({"name": format!("Brand {}", unique())}), json!({"name": format!("Brand {}", unique())})),
        (
            "/part-types",
            json!({"name": format!("Type {}", unique()), "category": "BRAKES"}),
            json!({"name": format!("Type {}", unique()), "category": "BRAKES"}),
        ),
        (
            "/synonyms",
            json!({"word": format!("word{}", unique()), "means": "brake"}),
            json!({"word": format!("word{}", unique()), "means": "brake"}),
        ),
    ] {
        let id = desk.add(path, &body).await;
        desk.send(put(format!("{path}/{id}"), &changed)).await;
        desk.send(delete(format!("{path}/{id}"))).await;
    }
    let sent = json!({"name": "Some Body", "rating": 5, "details": "Sturdy."});
    let review = inserted(&desk.customer.send(post("/reviews", &sent)).await);
    desk.send(delete(format!("/reviews/{review}"))).await;
    desk.send(post(format!("/reviews/{review}/restore"), &json!({}))).await;
}

async fn change_terms(desk: &Desk) {
    let method = |price: u32| json!({"name": format!("Method {}", unique()), "countries": ["AQ"], "bands": [{"upToGrams": 1, "price": price}]});
    let rate = |points: u32| {
        json!({"country": "AQ", "region": format!("Region {}", unique()), "name": "VAT", "basisPoints": points,
            "validFrom": "2000-01-01", "validUntil": "2000-01-31"})
    };
    let list = || json!({"name": format!("List {}", unique())});
    for (path, before, after) in [
        ("/shipping-methods", method(1), method(2)),
        ("/tax-rates", rate(1), rate(2)),
        ("/price-lists", list(), list()),
    ] {
        let id = desk.add(path, &before).await;
        desk.send(put(format!("{path}/{id}"), &after)).await;
        if path == "/price-lists" {
            let part = product(1_000, 2.5).await;
            let prices = json!({"items": [{"productId": part, "from": 1, "price": 2}]});
            desk.send(put(format!("{path}/{id}/prices"), &prices)).await;
            desk.send(put(format!("{path}/{id}/accounts"), &json!({"emails": [desk.customer.email]}))).await;
        }
        desk.send(delete(format!("{path}/{id}"))).await;
    }
    let file = format!("country,region,name,basis_points,valid_from\nAQ,File {},VAT,1,2000-01-01\n", unique());
    desk.send(call("POST", "/tax-rates/import").body("text/csv", file)).await;
    let exemption = json!({"email": desk.customer.email, "kind": "resale", "country": "AQ", "number": "1"});
    let id = desk.add("/exemptions", &exemption).await;
    desk.send(delete(format!("/exemptions/{id}"))).await;
    let seller = desk.send(get("/seller")).await.json();
    let mut changed = seller.clone();
    changed["phone"] = json!(format!("+1 555 {}", unique()));
    desk.send(put("/seller", &changed)).await;
    desk.send(put("/seller", &seller)).await;
}

async fn change_accounts(desk: &Desk) {
    let other = User::new().await;
    desk.send(call("PUT", format!("/user/admin/{}", other.email))).await;
    desk.send(call("DELETE", format!("/user/admin/{}", other.email))).await;
    desk.send(post(format!("/user/{}/notes", other.email), &json!({"text": "Called twice."}))).await;
    desk.send(delete(format!("/user/{}", other.email))).await;
}

async fn change_orders(desk: &Desk) {
    let Desk { boss, customer, .. } = desk;
    let cancelled = some_order(customer).await;
    let note = desk.add(&format!("/orders/{cancelled}/notes"), &json!({"text": "Called twice."})).await;
    desk.send(delete(format!("/notes/{note}"))).await;
    desk.send(delete(format!("/orders/{cancelled}"))).await;
    let checkout = checkouts::placed(customer).await;
    desk.send(delete(format!("/checkouts/{checkout}"))).await;
    let part = product(10_000, 2.5).await;
    let parcels = order(customer, &part, 60).await;
    pay(customer, &parcels).await;
    desk.send(post(format!("/orders/{parcels}/shipments"), &json!({"quantity": 1, "carrier": "UPS"}))).await;
    let refunded = order(customer, &part, 60).await;
    pay(customer, &refunded).await;
    desk.send(post(format!("/orders/{refunded}/refund"), &json!({}))).await;
    let returned = order(customer, &part, 60).await;
    pay(customer, &returned).await;
    desk.send(put(format!("/orders/status/{returned}"), &json!({}))).await;
    for (answer, body) in [("accept", json!({"restock": true})), ("decline", json!({"answer": "They were used."}))] {
        let asked = json!({"reason": "damaged", "units": 1});
        let id = inserted(&customer.send(post(format!("/orders/{returned}/returns"), &asked)).await);
        desk.send(post(format!("/returns/{id}/{answer}"), &body)).await;
    }
    for file in ["/allOrders.csv?q=nobody", "/overview/sales.csv", "/allCheckouts.csv", "/audit.csv?kind=nothing"] {
        boss.send(get(file)).await.is(200);
    }
}

/// A checkout whose freight waits for a figure of ours: it goes on pallets that have no price.
async fn set_freight(desk: &Desk) {
    let method = json!({"name": format!("Pallets {}", unique()), "countries": ["BV"],
        "bands": [{"upToGrams": 1, "price": 1}], "palletFromGrams": 1000, "perPallet": null});
    let method = desk.add("/shipping-methods", &method).await;
    let heavy = || {
        let mut sent = draft(1_000, 1.0);
        sent["weight"] = json!(9_000);
        sent
    };
    let (one, other) = (desk.add("/products", &heavy()).await, desk.add("/products", &heavy()).await);
    let mut sent = checkouts::body(&[(&one, 50), (&other, 50)]);
    sent["address"] = json!({"line1": "1 Base", "city": "Nyroysa", "country": "BV"});
    sent["shippingMethod"] = json!(method);
    let placed = desk.customer.send(post("/checkouts", &sent)).await.is(201).json();
    let id = placed["checkoutId"].as_str().unwrap();
    desk.send(put(format!("/checkouts/{id}/shipping"), &json!({"price": 10}))).await;
}

async fn change_feeds(desk: &Desk) {
    let file = "brand,part_number,availableQty\nNobody,N-1,5\n";
    let send = async |query: &str| {
        let sent = desk.send(call("POST", format!("/feeds?{query}")).body("text/csv", file)).await.json();
        let id = sent["_id"].as_str().unwrap().to_owned();
        let state = async || desk.send(get(format!("/feeds/{id}"))).await.json()["state"].as_str().unwrap().to_owned();
        eventually(Duration::from_mins(1), async || state().await == "checked").await;
        id
    };
    let id = send("kind=stock").await;
    desk.send(get(format!("/feeds/{id}/findings.csv"))).await;
    desk.send(delete(format!("/feeds/{id}"))).await;
    let id = send("kind=stock").await;
    desk.send(post(format!("/feeds/{id}/apply"), &json!({"partial": true}))).await;
}

async fn change_subscriptions(desk: &Desk) {
    let sent = json!({"url": format!("https://erp.example.com/{}", unique()), "events": ["order.refunded"]});
    let added = desk.send(post("/webhook-endpoints", &sent)).await.json();
    desk.send(delete(format!("/webhook-endpoints/{}", added["_id"].as_str().unwrap()))).await;
}

/// What an admin may do that customers may not, at least not to what is another's, apart from reading.
async fn audited_operations() -> BTreeSet<String> {
    let described = get("/openapi.json").await.is(200).json();
    let mut found = BTreeSet::new();
    for (_, methods) in described["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let name = operation["operationId"].as_str().unwrap();
            let is_for_admins = operation["responses"]["403"]["$ref"] == "#/components/responses/NotAnAdmin";
            let is_read = method == "get" && !name.starts_with("export");
            if (is_for_admins || ["cancelOrder", "cancelCheckout"].contains(&name)) && !is_read {
                found.insert(name.to_owned());
            }
        }
    }
    found
}

fn operations(entries: &Value) -> BTreeSet<String> {
    let entries = entries.as_array().unwrap();
    entries.iter().map(|entry| entry["operation"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_operation_of_admins_leaves_an_entry() {
    run(async {
        let desk = Desk { boss: User::new_admin().await, customer: User::new().await };
        change_products(&desk).await;
        change_words(&desk).await;
        change_terms(&desk).await;
        change_accounts(&desk).await;
        change_orders(&desk).await;
        set_freight(&desk).await;
        change_feeds(&desk).await;
        change_subscriptions(&desk).await;

        let entries = desk.send(get(format!("/audit?email={}", desk.boss.email))).await.json();
        for entry in entries.as_array().unwrap() {
            assert_eq!(entry["clientAddress"], "127.0.0.1", "{entry}");
        }
        let noted = operations(&entries);
        let called_below = BTreeSet::from(AFTER_FAILURES.map(str::to_owned));
        let expected = audited_operations().await;
        assert!(expected.len() > 60 && expected.is_superset(&called_below), "{expected:?}");
        let missing: Vec<_> = expected.difference(&noted).filter(|name| !called_below.contains(*name)).collect();
        assert!(missing.is_empty(), "these leave no entry: {missing:?}");
        let needless: Vec<_> = noted.difference(&expected).collect();
        assert!(needless.is_empty(), "these are no operations of admins: {needless:?}");
    });
}

/// The address that the admin of the other shop calls from.
const OFFICE: [u8; 4] = [127, 9, 8, 6];
/// How long an event of the provider or a delivery, and what follows from it, may take on a busy machine.
const SOON: Duration = Duration::from_mins(1);

/// A shop in production whose Stripe does what a test says, and its admin.
struct OtherShop {
    shop: Demo,
    stripe: FakeStripe,
    boss: User,
    customer: User,
    part: String,
}

impl OtherShop {
    async fn open() -> Self {
        let keys = Keys { secret: "sk_test_nobody".to_owned(), publishable: "pk_test_nobody".to_owned() };
        let stripe = FakeStripe::start(Settings { keys, ..Settings::default() }).await.unwrap();
        let settings = [("STRIPE_API_BASE", stripe.base()), ("OUTGOING_WEBHOOKS_ALLOW_PRIVATE", "true")];
        let (shop, boss) = shop_with(&settings).await;
        let url = format!("{}/webhooks/stripe", shop.address());
        let endpoint = Endpoint { url, secrets: vec!["whsec_nobody".to_owned()] };
        stripe.with(|account, _| account.send_webhooks_to(Some(endpoint)));
        let part = inserted(&boss.send(post("/products", &draft(10_000, 2.5))).at(&shop).await);
        let customer = User::new_at(&shop).await;
        Self { shop, stripe, boss, customer, part }
    }

    async fn read(&self, path: &str) -> Value {
        self.boss.send(get(path)).at(&self.shop).await.is(200).json()
    }

    async fn place_order(&self) -> String {
        inserted(&self.customer.send(post("/orders", &purchase(&self.part, 50))).at(&self.shop).await)
    }

    /// Places an order and opens its payment: the ids of both.
    async fn open_payment(&self) -> (String, String) {
        let order = self.place_order().await;
        let opening = post("/create-payment-intent", &json!({"orderId": order}));
        let opened = self.customer.send(opening).at(&self.shop).await.is(200).json();
        let secret = opened["clientSecret"].as_str().unwrap();
        (order, secret.split("_secret").next().unwrap().to_owned())
    }

    /// Posts to Stripe's own API.
    fn call_stripe(&self, path: &str, form: &str) {
        let request = Request {
            method: "POST".to_owned(),
            path: path.to_owned(),
            authorization: Some("Bearer sk_test_nobody".to_owned()),
            body: form.into(),
            ..Request::default()
        };
        let outcome = self.stripe.with(|account, now| account.call(&request, now));
        assert!(matches!(&outcome, Outcome::Answer(answer, _) if answer.status == 200), "{path}: {outcome:?}");
    }

    /// Makes something happen at Stripe that the shop has no part in.
    fn happens(&self, path: &str, body: &Value) -> Value {
        let body = body.to_string();
        let answer = self.stripe.with(|account, now| account.control("POST", path, "", body.as_bytes(), now));
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        serde_json::from_str(&answer.body).unwrap()
    }

    /// An order that one of Stripe's test cards has paid, and its payment.
    async fn paid_by(&self, card: &str) -> (String, String) {
        let (order, payment) = self.open_payment().await;
        self.call_stripe(&format!("/v1/payment_intents/{payment}/confirm"), &format!("payment_method={card}"));
        let shown = async || self.customer.send(get(format!("/orders/{order}"))).at(&self.shop).await.is(200).json();
        eventually(SOON, async || shown().await["paid"] == true).await;
        (order, payment)
    }

    /// The id of what needs an admin's attention about an order, once there is something of this kind.
    async fn matter(&self, order: &str, kind: &str) -> String {
        let found = async || {
            let all = self.read("/attention").await;
            let is_it = |matter: &&Value| matter["orderId"] == order && matter["kind"] == kind;
            all.as_array().unwrap().iter().find(is_it).map(|matter| matter["id"].as_str().unwrap().to_owned())
        };
        eventually(SOON, async || found().await.is_some()).await;
        found().await.unwrap()
    }

    /// Makes a call as the admin. All entries of its operation have to say who made this very call and from where, and one of
    /// them what it is expected to change.
    async fn leaves(&self, operation: &str, call: Call, expected: &Value) {
        let answer = self.boss.send(call).at(&self.shop).from(OFFICE).await.is(200);
        let noted = self.read(&format!("/audit?operation={operation}")).await;
        let entries = noted.as_array().unwrap();
        let who = |entry: &Value| json!([entry["email"], entry["clientAddress"], entry["requestId"]]);
        let boss = json!([self.boss.email, Ipv4Addr::from(OFFICE).to_string(), answer.header("x-request-id")]);
        assert!(entries.iter().all(|entry| who(entry) == boss), "{operation}: not all by {boss}: {noted:#}");
        assert!(entries.iter().any(|entry| what(entry) == *expected), "{operation}: no {expected}: {noted:#}");
    }
}

/// Kind and change of an entry, the order that it belongs to, and the state that it says something has now.
fn what(entry: &Value) -> Value {
    json!([entry["kind"], entry["change"], entry["parent"], entry["after"]["state"]])
}

/// Two refunds that fail later: one is tried again, the other is paid by bank transfer.
async fn resolve_failed_refunds(other: &OtherShop) {
    let (one, _) = other.paid_by("pm_card_refundFail").await;
    let (two, _) = other.paid_by("pm_card_refundFail").await;
    for order in [&one, &two] {
        other.boss.send(post(format!("/orders/{order}/refund"), &json!({}))).at(&other.shop).await.is(200);
    }
    other.stripe.advance(Duration::from_secs(6));
    let refund = other.matter(&one, "refundFailed").await;
    let retry = post(format!("/attention/refunds/{refund}/retry"), &json!({}));
    other.leaves("retryRefund", retry, &json!(["refund", "changed", one, "due"])).await;
    let refund = other.matter(&two, "refundFailed").await;
    let transfer = post(format!("/attention/refunds/{refund}/bank-transfer"), &json!({"reference": "SEPA 4711"}));
    other.leaves("recordBankTransfer", transfer, &json!(["refund", "changed", two, "recorded"])).await;
}

/// A refund in Stripe's dashboard, and a dispute that the bank has decided.
async fn acknowledge_what_happened_at_stripe(other: &OtherShop) {
    let (order, payment) = other.paid_by("pm_card_visa").await;
    other.happens(&format!("/_fake/payment_intents/{payment}/refund"), &json!({"amount": 500}));
    let refund = other.matter(&order, "refundedElsewhere").await;
    let acknowledge = post(format!("/attention/refunds/{refund}/acknowledge"), &json!({}));
    other.leaves("acknowledgeRefund", acknowledge, &json!(["refund", "changed", order, null])).await;

    let (order, payment) = other.paid_by("pm_card_visa").await;
    let opened = other.happens(&format!("/_fake/payment_intents/{payment}/dispute"), &json!({}));
    other.happens(&format!("/_fake/disputes/{}/close", opened["id"].as_str().unwrap()), &json!({"won": false}));
    let dispute = other.matter(&order, "disputeLost").await;
    let acknowledge = post(format!("/attention/disputes/{dispute}/acknowledge"), &json!({}));
    other.leaves("acknowledgeDispute", acknowledge, &json!(["dispute", "changed", order, null])).await;
}

/// A payment whose amount was changed at Stripe before the card paid it.
async fn send_a_payment_back(other: &OtherShop) {
    let (order, payment) = other.open_payment().await;
    other.call_stripe(&format!("/v1/payment_intents/{payment}"), "amount=12400");
    other.call_stripe(&format!("/v1/payment_intents/{payment}/confirm"), "payment_method=pm_card_visa");
    assert_eq!(other.matter(&order, "mismatched").await, payment);
    let back = post(format!("/attention/payments/{payment}/send-back"), &json!({}));
    other.leaves("sendPaymentBack", back, &json!(["refund", "added", order, "due"])).await;
}

/// A delivery to a receiver that says it is gone for good, and is given up at once.
async fn requeue_deliveries(other: &OtherShop) {
    let gone = StandIn::start(vec![Reply::Json(410, String::new())]).await;
    let sent = json!({"url": gone.base(), "events": ["order.ordered"]});
    let added = other.boss.send(post("/webhook-endpoints", &sent)).at(&other.shop).await.is(201).json();
    let subscription = added["_id"].as_str().unwrap();
    let order = other.place_order().await;
    let given_up = async || other.read("/outbox?state=dead").await[0]["_id"].as_str().map(str::to_owned);
    eventually(SOON, async || given_up().await.is_some()).await;
    let delivery = given_up().await.unwrap();
    let expected = json!(["delivery", "changed", order, "waiting"]);
    other.leaves("retryDelivery", post(format!("/outbox/{delivery}/retry"), &json!({})), &expected).await;
    // Its subscription is disabled by now, so it is given up again.
    eventually(SOON, async || given_up().await.is_some()).await;
    let retry = post(format!("/outbox/retry?endpoint={subscription}"), &json!({}));
    other.leaves("retryDeliveries", retry, &expected).await;
}

#[test]
fn what_admins_do_after_failures_of_payments_and_deliveries_says_who_did_it_and_from_where() {
    run(async {
        let other = OtherShop::open().await;
        resolve_failed_refunds(&other).await;
        acknowledge_what_happened_at_stripe(&other).await;
        send_a_payment_back(&other).await;
        requeue_deliveries(&other).await;
        let noted = operations(&other.read("/audit").await);
        let missing: Vec<_> = AFTER_FAILURES.iter().filter(|name| !noted.contains(**name)).collect();
        assert!(missing.is_empty(), "these leave no entry: {missing:?}");
    });
}
