//! Unpaid orders in production: how long they reserve their units, and how many a new account may have.

use std::process::Command;

use serde_json::{Value, json};

use crate::fixtures::{User, draft, inserted, order, pay, product};
use crate::server::{Call, Demo, all, call, delete, get, post, run};

/// A shop in production, and its admin.
pub(crate) async fn shop_with(settings: &[(&str, &str)]) -> (Demo, User) {
    let (shop, database) = Demo::serve(settings);
    let boss = User::new_at(&shop).await;
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

pub(crate) fn purchase(product: &str, units: u32) -> Call {
    let sent = json!({
        "name": "Some Body", "phone": "555 0100", "address": "1 Workshop Lane", "quantity": units, "productId": product,
    });
    post("/orders", &sent)
}

/// The minutes from placing an order to the end of its reservation.
fn minutes_reserved(order: &Value) -> i64 {
    let moment = |field: &str| order[field].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
    let reserved = moment("reservedUntil").duration_since(moment("createdAt"));
    (reserved.as_secs() + 30) / 60
}

#[test]
fn one_new_account_cannot_reserve_all_the_stock() {
    run(async {
        let (shop, boss) = shop_with(&[]).await;
        let mut products = Vec::new();
        for _ in 0..5 {
            products.push(inserted(&boss.send(post("/products", &draft(100_000, 1.0))).at(&shop).await));
        }
        let customer = User::new_at(&shop).await;
        let many = (0..200).map(|n| customer.send(purchase(&products[n % 5], 500)).while_unavailable().at(&shop));
        let mut acknowledged = 0;
        for answer in all(many).await {
            match answer.status {
                201 => acknowledged += 1,
                503 => {}
                _ => assert_eq!(answer.refused(409)["type"], "/problems/too-many-unpaid"),
            }
        }
        let own = async || {
            let listed = customer.send(get(format!("/orders?email={}", customer.email))).at(&shop).await.is(200).json();
            listed.as_array().unwrap().clone()
        };
        // An order that was answered with 503 may have been placed: the server gave up waiting, not the database.
        let placed = own().await.len();
        assert!((1..=20).contains(&placed) && acknowledged <= placed, "{acknowledged} of {placed}");
        for product in &products {
            let left = get(format!("/products/{product}")).at(&shop).await.is(200).json()["availableQty"].as_u64();
            assert!(left > Some(80_000), "{left:?}");
        }
        // Placed one after the other, twenty are allowed, and cancelling one makes room.
        while own().await.len() < 20 {
            customer.send(purchase(&products[0], 50)).at(&shop).await.is(201);
        }
        let refused = customer.send(purchase(&products[0], 50)).at(&shop).await.refused(409);
        assert_eq!(refused["most"], 20);
        let newest = own().await.remove(0);
        assert_eq!(minutes_reserved(&newest), 60);
        let first = newest["_id"].as_str().unwrap();
        customer.send(delete(format!("/orders/{first}"))).at(&shop).await.is(200);
        customer.send(purchase(&products[0], 50)).at(&shop).await.is(201);
        let other = User::new_at(&shop).await;
        other.send(purchase(&products[1], 50)).at(&shop).await.is(201);
    });
}

#[test]
fn reservation_time_and_limit_are_configurable() {
    run(async {
        let settings = [("UNPAID_ORDER_HOLD_NEW_MINUTES", "45"), ("UNPAID_ORDERS_NEW", "1")];
        let (shop, boss) = shop_with(&settings).await;
        let product = inserted(&boss.send(post("/products", &draft(1_000, 1.0))).at(&shop).await);
        let id = inserted(&boss.send(purchase(&product, 50)).at(&shop).await);
        assert_eq!(minutes_reserved(&boss.send(get(format!("/orders/{id}"))).at(&shop).await.is(200).json()), 45);
        boss.send(purchase(&product, 50)).at(&shop).await.refused(409);
    });
}

#[test]
fn an_unpaid_order_shows_its_reservation_and_every_order_its_number() {
    run(async {
        let customer = User::new().await;
        let part = product(5_000, 2.0).await;
        let first = order(&customer, &part, 50).await;
        let read = async |id: &str| customer.send(get(format!("/orders/{id}"))).await.is(200).json();
        let shown = read(&first).await;
        assert_eq!(minutes_reserved(&shown), 60);
        let number = shown["number"].as_str().unwrap().to_owned();
        assert!(number.strip_prefix("DL-").is_some_and(|digits| digits.parse::<u64>().is_ok()), "{number}");
        let sold = get(format!("/products/{part}")).await.is(200).json();
        assert_eq!(shown["partNumber"], sold["partNumber"]);
        assert_eq!(customer.orders().await[0]["number"], shown["number"]);
        let admin = crate::fixtures::admin().await;
        let found = admin.send(get(format!("/allOrders?q={number}&limit=5"))).await.is(200).json();
        assert!(found.as_array().unwrap().iter().any(|one| one["_id"] == shown["_id"]), "{found}");

        // A paid order has no reservation, and its customer gets the usual time from then on.
        pay(&customer, &first).await;
        assert_eq!(read(&first).await["reservedUntil"], Value::Null);
        let second = read(&order(&customer, &part, 50).await).await;
        assert_eq!(minutes_reserved(&second), 24 * 60);
        let on_account = second["_id"].as_str().unwrap().to_owned();
        admin.send(call("PUT", format!("/orders/status/{on_account}"))).await.is(200);
        let shipped = read(&on_account).await;
        assert_eq!((&shipped["reservedUntil"], &shipped["paid"]), (&Value::Null, &json!(false)));
    });
}
