//! Every operation that takes an admin's permission and changes or exports something leaves an entry in the audit trail. The list of
//! operations is the API's description, which is made of the route table: a new one fails here until it is called below.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use crate::checkouts;
use crate::fixtures::{User, draft, eventually, inserted, order, pay, product, some_order, unique};
use crate::pictures::{multipart, png};
use crate::server::{Answer, Call, call, delete, get, patch, post, put, run};

/// What is not called here, and why.
const NOT_CALLED: [(&str, &str); 7] = [
    ("retryRefund", "a refund that failed at the provider: stores/audit.rs changes the row"),
    ("recordBankTransfer", "as above"),
    ("acknowledgeRefund", "as above"),
    ("acknowledgeDispute", "a dispute comes from the provider: stores/audit.rs changes the row"),
    ("sendPaymentBack", "a payment that fits no order: it records a refund, as refundOrder does"),
    ("retryDelivery", "a delivery that was given up: stores/audit.rs changes the row"),
    ("retryDeliveries", "as above"),
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
        let noted: BTreeSet<String> =
            entries.as_array().unwrap().iter().map(|entry| entry["operation"].as_str().unwrap().to_owned()).collect();
        let exempt: BTreeSet<String> = NOT_CALLED.iter().map(|(name, _)| (*name).to_owned()).collect();
        let expected = audited_operations().await;
        assert!(expected.len() > 60 && expected.is_superset(&exempt), "{expected:?}");
        let missing: Vec<_> = expected.difference(&noted).filter(|name| !exempt.contains(*name)).collect();
        assert!(missing.is_empty(), "these leave no entry: {missing:?}");
        let needless: Vec<_> = noted.difference(&expected).collect();
        assert!(needless.is_empty(), "these are no operations of admins: {needless:?}");
    });
}
