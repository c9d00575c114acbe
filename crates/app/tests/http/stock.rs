//! Stock corrections, concurrent price changes, and orders above the card limit.

use serde_json::{Value, json};

use crate::fixtures::{User, admin, fresh_key, order, product, purchase, stock};
use crate::server::{Answer, all, delete, get, post, put, run};

async fn correct(product: &str, delta: i64, reason: &str) -> Answer {
    let sent = json!({"delta": delta, "reason": reason, "note": "a forklift"});
    admin().await.send(post(format!("/products/{product}/stock-corrections"), &sent)).await
}

#[test]
fn stock_is_corrected_for_a_reason_and_never_below_zero() {
    run(async {
        let part = product(100, 2.0).await;
        assert_eq!(correct(&part, -30, "breakage").await.is(201).json(), json!({"availableQty": 70}));
        assert_eq!(correct(&part, 5, "found").await.is(201).json(), json!({"availableQty": 75}));
        assert_eq!(correct(&part, -76, "loss").await.refused(409)["available"], 75);
        assert_eq!(stock(&part).await, 75);
        correct(&part, 0, "miscount").await.field("delta");
        correct(&part, 1_000_000_001, "miscount").await.field("delta");
        correct(&part, 1_000_000_000, "miscount").await.field("delta");
        correct(&part, 1, "theft").await.field("reason");
        correct("00000000-0000-4000-8000-000000000000", -1, "loss").await.refused(404);

        let history = async |id: &str| {
            let listed = admin().await.send(get(format!("/products/{id}/stock-history"))).await.is(200).json();
            listed.as_array().unwrap().clone()
        };
        let entries = history(&part).await;
        let boss = &admin().await.email;
        let expected = json!([
            {"what": "corrected", "who": boss, "units": 5, "reason": "found", "note": "a forklift"},
            {"what": "corrected", "who": boss, "units": -30, "reason": "breakage", "note": "a forklift"},
        ]);
        let without_time = |event: &Value| {
            let mut event = event.clone();
            assert!(event.as_object_mut().unwrap().remove("when").unwrap().is_string());
            event
        };
        assert_eq!(Value::Array(entries.iter().map(without_time).collect()), expected);

        // The history of an archived product can still be read, and it shows who archived it.
        admin().await.send(delete(format!("/products/{part}"))).await.is(200);
        correct(&part, -1, "loss").await.refused(404);
        let entries = history(&part).await;
        assert_eq!((entries.len(), &entries[0]["what"], &entries[0]["who"]), (3, &json!("archived"), &json!(boss)));
        admin().await.send(get("/products/00000000-0000-4000-8000-000000000000/stock-history")).await.refused(404);
    });
}

#[test]
fn concurrent_corrections_and_sales_lose_no_units_and_a_key_counts_once() {
    run(async {
        let part = product(2_000, 2.0).await;
        let key = fresh_key();
        let customer = User::new().await;
        let correction = |delta: i64| {
            let sent = json!({"delta": delta, "reason": "miscount"});
            post(format!("/products/{part}/stock-corrections"), &sent)
        };
        let boss = admin().await;
        let mut calls: Vec<_> = (0..10).map(|_| boss.send(correction(-100)).key(&key)).collect();
        // Keys of their own, so that a repeated call does not count twice.
        calls.extend((0..10).map(|_| boss.send(correction(-7)).key(&fresh_key())));
        calls.extend((0..10).map(|_| boss.send(correction(3)).key(&fresh_key())));
        calls.extend((0..10).map(|_| customer.send(post("/orders", &purchase(&part, 50))).key(&fresh_key())));
        for answer in all(calls).await {
            answer.is(201);
        }
        assert_eq!(stock(&part).await, 2_000 - 100 - 70 + 30 - 500);
    });
}

#[test]
fn a_price_that_changed_since_the_admin_read_it_is_not_overwritten() {
    run(async {
        let part = product(100, 2.0).await;
        let boss = admin().await;
        let path = format!("/products/{part}");
        let restock = |units: u32, price: f64, seen: f64| {
            put(&*path, &json!({"updatedQuantity": units, "updatedPrice": price, "seenPrice": seen}))
        };
        boss.send(restock(10, 3.0, 2.0)).await.is(200);
        // A delivery is booked from a page that is an hour old.
        let refused = boss.send(restock(10, 2.0, 2.0)).await.refused(409);
        assert_eq!((&refused["type"], &refused["price"]), (&json!("/problems/price-changed"), &json!(3)));
        let shown = get(&*path).await.is(200).json();
        assert_eq!((&shown["price"], &shown["availableQty"]), (&json!(3), &json!(110)));
        boss.send(restock(10, 3.0, 3.0)).await.is(200);
        boss.send(restock(10, 3.0, -1.0)).await.field("seenPrice");
        // Without a seen price the price is set unconditionally, as before.
        boss.send(put(&*path, &json!({"updatedQuantity": 0, "updatedPrice": 2.0}))).await.is(200);
        assert_eq!(get(&*path).await.is(200).json()["price"], json!(2));
    });
}

#[test]
fn an_order_above_the_card_limit_reports_it_and_ships_on_account() {
    run(async {
        let customer = User::new().await;
        let part = product(1_000, 20_000.0).await;
        let large = order(&customer, &part, 50).await;
        let read = async || customer.send(get(format!("/orders/{large}"))).await.is(200).json();
        assert_eq!(read().await["payableByCard"], json!(false));
        let refused = customer
            .send(post("/create-payment-intent", &json!({"price": 1_000_000, "orderId": large})))
            .await
            .refused(409);
        assert_eq!(refused["type"], "/problems/not-payable-by-card");
        admin().await.send(crate::server::call("PUT", format!("/orders/status/{large}"))).await.is(200);
        assert_eq!(read().await["status"], json!("paid"));
        let cheap = product(1_000, 19_999.99).await;
        let small = order(&customer, &cheap, 50).await;
        assert_eq!(customer.send(get(format!("/orders/{small}"))).await.is(200).json()["payableByCard"], json!(true));
    });
}
