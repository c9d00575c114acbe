//! Shipping an order in parts.

use std::time::Duration;

use serde_json::{Value, json};

use crate::fixtures::{User, admin, event_kinds, eventually, fresh_key, inserted, order, pay, product, stock};
use crate::server::{all, call, delete, emails_to, get, post, put, run};

async fn shipments(reader: &User, order: &str) -> Vec<Value> {
    reader.send(get(format!("/orders/{order}/shipments"))).await.is(200).json().as_array().unwrap().clone()
}

async fn placed() -> (User, String, String) {
    let customer = User::new().await;
    let part = product(500, 2.5).await;
    let placed = order(&customer, &part, 60).await;
    (customer, part, placed)
}

#[test]
fn an_order_leaves_in_parts_and_its_customer_reads_of_each() {
    run(async {
        // An address that nobody has confirmed gets only so many e-mails.
        let customer = User::log_in("customer@example.com", "demo-password").await;
        let boss = admin().await;
        let placed = order(&customer, &product(500, 2.5).await, 60).await;
        pay(&customer, &placed).await;
        let path = format!("/orders/{placed}/shipments");
        assert_eq!(shipments(&customer, &placed).await.len(), 0);
        let first = json!({"quantity": 20, "carrier": "UPS", "trackingNumber": "1Z 999-1"});
        let first_id = inserted(&boss.send(post(&path, &first)).await);
        let second = json!({"quantity": 10, "carrier": "Uncle Bob", "trackingUrl": "https://bob.example.com/7"});
        inserted(&boss.send(post(&path, &second)).await);
        let listed = shipments(&customer, &placed).await;
        let mut expected = json!({
            "_id": first_id, "quantity": 20, "carrier": "UPS", "trackingNumber": "1Z 999-1",
            "trackingUrl": "https://www.ups.com/track?tracknum=1Z9991",
        });
        expected["sentAt"] = listed[0]["sentAt"].clone();
        assert_eq!(listed[0], expected);
        assert_eq!(listed[1]["trackingUrl"], "https://bob.example.com/7");
        assert_eq!(event_kinds(&customer, &placed).await, ["ordered", "paid", "part_shipped", "part_shipped"]);

        let too_many = boss.send(post(&path, &json!({"quantity": 31}))).await.refused(422);
        assert_eq!((&too_many["left"], &too_many["errors"][0]["field"]), (&json!(30), &json!("quantity")));
        boss.send(post(&path, &json!({"quantity": 30}))).await.is(201);
        assert_eq!(
            event_kinds(&customer, &placed).await,
            ["ordered", "paid", "part_shipped", "part_shipped", "shipped"]
        );
        let again = boss.send(post(&path, &json!({"quantity": 1}))).await.refused(409);
        assert_eq!(again["type"], "/problems/all-shipped");
        let seen = |text: &str| emails_to(&customer.email).iter().any(|email| email.contains(text));
        eventually(Duration::from_secs(20), async || {
            seen("20 of 60 units have left our warehouse")
                && seen("https://www.ups.com/track?tracknum=1Z9991")
                && seen("Your order has left our warehouse")
                && seen("30 of 60 units")
        })
        .await;
    });
}

#[test]
fn one_click_ships_what_is_left() {
    run(async {
        let ((customer, _, placed), boss) = (placed().await, admin().await);
        boss.send(post(format!("/orders/{placed}/shipments"), &json!({"quantity": 45}))).await.is(201);
        let done = boss.send(put(format!("/orders/status/{placed}"), &json!({}))).await.is(200).json();
        assert_eq!(done, json!({"modifiedCount": 1}));
        let quantities: Vec<Value> =
            shipments(&customer, &placed).await.into_iter().map(|one| one["quantity"].clone()).collect();
        assert_eq!(quantities, [45, 15]);
    });
}

#[test]
fn an_order_of_which_units_have_left_is_neither_cancelled_nor_refunded_in_full() {
    run(async {
        let ((customer, part, placed), boss) = (placed().await, admin().await);
        boss.send(post(format!("/orders/{placed}/shipments"), &json!({"quantity": 1}))).await.is(201);
        customer.send(delete(format!("/orders/{placed}"))).await.is(409);
        pay(&customer, &placed).await;
        let refused = boss.send(post(format!("/orders/{placed}/refund"), &json!({}))).await.refused(409);
        assert_eq!(refused["type"], "/problems/shipped-in-part");
        boss.send(post(format!("/orders/{placed}/refund"), &json!({"cents": 100}))).await.is(200);
        assert_eq!(stock(&part).await, 440);
    });
}

#[test]
fn a_shipment_that_is_sent_twice_leaves_once_and_none_leaves_too_much() {
    run(async {
        let ((customer, _, placed), boss) = (placed().await, admin().await);
        let (path, key) = (format!("/orders/{placed}/shipments"), fresh_key());
        let sent = json!({"quantity": 7});
        let ids: Vec<String> =
            all((0..4).map(|_| boss.send(post(&path, &sent)).key(&key))).await.iter().map(inserted).collect();
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
        assert_eq!(shipments(&customer, &placed).await.len(), 1);
        let calls = (0..6).map(|_| boss.send(post(&path, &json!({"quantity": 20}))));
        let sent = all(calls).await.into_iter().filter(|answer| answer.status == 201).count();
        assert_eq!(sent, 2, "53 were left");
    });
}

#[test]
fn what_is_no_shipment_is_refused_and_so_is_one_of_a_cancelled_order() {
    run(async {
        let ((customer, _, placed), boss) = (placed().await, admin().await);
        let path = format!("/orders/{placed}/shipments");
        for (sent, field) in [
            (json!({}), "quantity"),
            (json!({"quantity": 0}), "quantity"),
            (json!({"quantity": -1}), "quantity"),
            (json!({"quantity": 1e300}), "quantity"),
            (json!({"quantity": 1, "carrier": "a".repeat(61)}), "carrier"),
            (json!({"quantity": 1, "trackingNumber": "a\u{0}b"}), "trackingNumber"),
            (json!({"quantity": 1, "trackingUrl": "javascript:alert(1)"}), "trackingUrl"),
            (json!({"quantity": 1, "trackingUrl": "www.ups.com"}), "trackingUrl"),
        ] {
            let refused = boss.send(post(&path, &sent)).await.refused(422);
            assert_eq!(refused["errors"][0]["field"], field, "{sent}: {refused}");
        }
        customer.send(post(&path, &json!({"quantity": 1}))).await.is(403);
        User::new().await.send(get(&path)).await.is(404);
        customer.send(call("DELETE", format!("/orders/{placed}"))).await.is(200);
        boss.send(post(&path, &json!({"quantity": 1}))).await.is(404);
    });
}
