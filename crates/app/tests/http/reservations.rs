//! Unpaid orders in production: how long they keep their units, and how many a new account may have.

use std::process::Command;

use serde_json::{Value, json};

use crate::shop::{Call, Demo, all, call, delete, get, post, run};
use crate::things::{Person, draft, inserted, order, pay, product};

/// A shop in production, and its admin.
async fn shop_with(settings: &[(&str, &str)]) -> (Demo, Person) {
    let (shop, database) = Demo::serve(settings);
    let boss = Person::new_at(&shop).await;
    let granted = Command::new(env!("CARGO_BIN_EXE_driveline"))
        .args(["admin", "grant", &boss.email, "--unverified"])
        .env("DATABASE_URL", &database)
        .output()
        .unwrap();
    if !granted.status.success() {
        let granted = Command::new(env!("CARGO_BIN_EXE_driveline"))
            .args(["admin", "grant", &boss.email])
            .env("DATABASE_URL", database)
            .output()
            .unwrap();
        assert!(granted.status.success(), "{granted:?}");
    }
    (shop, boss)
}

fn purchase(product: &str, units: u32) -> Call {
    let sent = json!({
        "name": "Some Body", "phone": "555 0100", "address": "1 Workshop Lane", "quantity": units, "productId": product,
    });
    post("/orders", &sent)
}

/// For how many minutes an order is kept, from the moment that it was placed.
fn minutes_kept(order: &Value) -> i64 {
    let moment = |field: &str| order[field].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
    let kept = moment("reservedUntil").duration_since(moment("createdAt"));
    (kept.as_secs() + 30) / 60
}

#[test]
fn one_new_account_cannot_keep_everything_from_everybody() {
    run(async {
        let (shop, boss) = shop_with(&[]).await;
        let mut shelves = Vec::new();
        for _ in 0..5 {
            shelves.push(inserted(&boss.send(post("/products", &draft(100_000, 1.0))).at(&shop).await));
        }
        let hoarder = Person::new_at(&shop).await;
        let many = (0..200).map(|n| hoarder.send(purchase(&shelves[n % 5], 500)).while_away().at(&shop));
        let mut placed = 0;
        for answer in all(many).await {
            match answer.status {
                201 => placed += 1,
                503 => {}
                _ => assert_eq!(answer.refused(409)["type"], "/problems/too-many-unpaid"),
            }
        }
        assert!((1..=20).contains(&placed), "{placed}");
        for shelf in &shelves {
            let left = get(format!("/products/{shelf}")).at(&shop).await.is(200).json()["availableQty"].as_u64();
            assert!(left > Some(80_000), "{left:?}");
        }
        // Filled up one after the other it is twenty, and one that is cancelled makes room.
        while placed < 20 {
            hoarder.send(purchase(&shelves[0], 50)).at(&shop).await.is(201);
            placed += 1;
        }
        let refused = hoarder.send(purchase(&shelves[0], 50)).at(&shop).await.refused(409);
        assert_eq!(refused["most"], 20);
        let own = hoarder.send(get(format!("/orders?email={}", hoarder.email))).at(&shop).await.is(200).json();
        assert_eq!(minutes_kept(&own[0]), 60);
        let first = own[0]["_id"].as_str().unwrap();
        hoarder.send(delete(format!("/orders/{first}"))).at(&shop).await.is(200);
        hoarder.send(purchase(&shelves[0], 50)).at(&shop).await.is(201);
        let customer = Person::new_at(&shop).await;
        customer.send(purchase(&shelves[1], 50)).at(&shop).await.is(201);
    });
}

#[test]
fn how_long_and_how_many_are_settings() {
    run(async {
        let settings = [("UNPAID_ORDER_HOLD_NEW_MINUTES", "45"), ("UNPAID_ORDERS_NEW", "1")];
        let (shop, boss) = shop_with(&settings).await;
        let shelf = inserted(&boss.send(post("/products", &draft(1_000, 1.0))).at(&shop).await);
        let id = inserted(&boss.send(purchase(&shelf, 50)).at(&shop).await);
        assert_eq!(minutes_kept(&boss.send(get(format!("/orders/{id}"))).at(&shop).await.is(200).json()), 45);
        boss.send(purchase(&shelf, 50)).at(&shop).await.refused(409);
    });
}

#[test]
fn an_unpaid_order_says_until_when_it_is_kept_and_every_order_what_it_is_called() {
    run(async {
        let customer = Person::new().await;
        let part = product(5_000, 2.0).await;
        let first = order(&customer, &part, 50).await;
        let read = async |id: &str| customer.send(get(format!("/orders/{id}"))).await.is(200).json();
        let shown = read(&first).await;
        assert_eq!(minutes_kept(&shown), 60);
        let number = shown["number"].as_str().unwrap().to_owned();
        assert!(number.strip_prefix("DL-").is_some_and(|digits| digits.parse::<u64>().is_ok()), "{number}");
        let sold = get(format!("/products/{part}")).await.is(200).json();
        assert_eq!(shown["partNumber"], sold["partNumber"]);
        assert_eq!(customer.orders().await[0]["number"], shown["number"]);
        let admin = crate::things::admin().await;
        let found = admin.send(get(format!("/allOrders?q={number}&limit=5"))).await.is(200).json();
        assert!(found.as_array().unwrap().iter().any(|one| one["_id"] == shown["_id"]), "{found}");

        // Paid, it is kept for good, and its buyer is known from then on.
        pay(&customer, &first).await;
        assert_eq!(read(&first).await["reservedUntil"], Value::Null);
        let second = read(&order(&customer, &part, 50).await).await;
        assert_eq!(minutes_kept(&second), 24 * 60);
        let on_account = second["_id"].as_str().unwrap().to_owned();
        admin.send(call("PUT", format!("/orders/status/{on_account}"))).await.is(200);
        let shipped = read(&on_account).await;
        assert_eq!((&shipped["reservedUntil"], &shipped["paid"]), (&Value::Null, &json!(false)));
    });
}
