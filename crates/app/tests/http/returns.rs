//! Returns of shipped orders.

use std::time::Duration;

use serde_json::{Value, json};

use crate::fixtures::{
    User, admin, event_kinds, eventually, fresh_key, inserted, order, pay, product, status_and_body, stock, timeline,
};
use crate::server::{Call, get, post, put, run};

/// A paid and shipped order of 60 units at $2.50.
async fn shipped(customer: &User, part: &str) -> String {
    let placed = order(customer, part, 60).await;
    pay(customer, &placed).await;
    admin().await.send(put(format!("/orders/status/{placed}"), &json!({}))).await.is(200);
    placed
}

fn ask(customer: &User, order: &str, units: u32) -> Call {
    let body = json!({"reason": "damaged", "details": "  Scratched. ", "units": units});
    customer.send(post(format!("/orders/{order}/returns"), &body))
}

async fn returns_of(reader: &User, order: &str) -> Vec<Value> {
    let listed = reader.send(get(format!("/orders/{order}/returns"))).await.is(200).json();
    listed.as_array().unwrap().clone()
}

async fn read_order(reader: &User, order: &str) -> Value {
    reader.send(get(format!("/orders/{order}"))).await.is(200).json()
}

async fn needs_attention(order: &str) -> Option<Value> {
    let listed = admin().await.send(get("/attention")).await.is(200).json();
    listed.as_array().unwrap().iter().find(|matter| matter["orderId"] == *order).cloned()
}

#[test]
fn an_accepted_return_is_refunded_restocked_and_in_the_timeline() {
    run(async {
        let (customer, boss) = (User::new().await, admin().await);
        let part = product(500, 2.5).await;
        let placed = shipped(&customer, &part).await;
        assert!(read_order(&customer, &placed).await["returnableUntil"].is_string());
        let id = inserted(&ask(&customer, &placed, 10).await.is(201));
        let matter = needs_attention(&placed).await.unwrap();
        assert_eq!((&matter["kind"], &matter["id"], &matter["amount"]), (&json!("return"), &json!(id), &json!(25)));
        let listed = returns_of(&customer, &placed).await;
        assert_eq!(
            (&listed[0]["reason"], &listed[0]["details"], &listed[0]["units"], &listed[0]["state"]),
            (&json!("damaged"), &json!("Scratched."), &json!(10), &json!("requested"))
        );

        let accept = |body: Value| boss.send(post(format!("/returns/{id}/accept"), &body));
        accept(json!({})).await.is(422);
        assert_eq!(accept(json!({"cents": 15_001, "restock": true})).await.refused(422)["left"], 150);
        assert_eq!(accept(json!({"restock": true})).await.is(200).json(), json!({"modifiedCount": 1}));
        assert_eq!(accept(json!({"restock": true})).await.is(200).json(), json!({"modifiedCount": 0}));
        boss.send(post(format!("/returns/{id}/decline"), &json!({"answer": "No."}))).await.refused(409);
        assert_eq!(stock(&part).await, 450, "500 - 60 + 10");
        let listed = returns_of(&customer, &placed).await;
        assert_eq!(
            (&listed[0]["state"], &listed[0]["refunded"], &listed[0]["restocked"]),
            (&json!("accepted"), &json!(25), &json!(true))
        );
        assert_eq!(
            event_kinds(&customer, &placed).await,
            ["ordered", "paid", "shipped", "return_requested", "return_accepted", "partly_refunded"]
        );
        let told = &timeline(&customer, &placed).await[4];
        assert_eq!((&told["quantity"], &told["amount"], &told["who"]), (&json!(10), &json!(25), &json!("Driveline")));
        assert_eq!(needs_attention(&placed).await, None);
        // The rest can come back too, and then nothing more.
        assert_eq!(ask(&customer, &placed, 51).await.refused(422)["left"], 50);
        let rest = inserted(&ask(&customer, &placed, 50).await.is(201));
        boss.send(post(format!("/returns/{rest}/accept"), &json!({"restock": false}))).await.is(200);
        assert_eq!(stock(&part).await, 450);
        let after = read_order(&customer, &placed).await;
        assert_eq!((&after["payment"]["status"], &after["returnableUntil"]), (&json!("refunded"), &Value::Null));
        assert_eq!(ask(&customer, &placed, 1).await.refused(409)["type"], "/problems/already-refunded");
    });
}

#[test]
fn a_declined_return_says_why_and_another_can_be_asked_for() {
    run(async {
        let (customer, boss) = (User::new().await, admin().await);
        let placed = shipped(&customer, &product(500, 2.5).await).await;
        let id = inserted(&ask(&customer, &placed, 60).await.is(201));
        assert_eq!(ask(&customer, &placed, 1).await.refused(409)["type"], "/problems/return-open");
        let decline = |body: Value| boss.send(post(format!("/returns/{id}/decline"), &body));
        for body in [json!({}), json!({"answer": " "}), json!({"answer": "x".repeat(501)})] {
            assert!(!decline(body).await.refused(422)["errors"].as_array().unwrap().is_empty());
        }
        assert_eq!(decline(json!({"answer": "They were used."})).await.is(200).json(), json!({"modifiedCount": 1}));
        assert_eq!(decline(json!({"answer": "No."})).await.is(200).json(), json!({"modifiedCount": 0}));
        boss.send(post(format!("/returns/{id}/accept"), &json!({"restock": true}))).await.refused(409);
        assert_eq!(returns_of(&customer, &placed).await[0]["answer"], "They were used.");
        assert_eq!(timeline(&customer, &placed).await[4]["answer"], "They were used.");
        ask(&customer, &placed, 1).await.is(201);
    });
}

#[test]
fn only_a_shipped_and_paid_order_of_ones_own_takes_a_return() {
    run(async {
        let (customer, other) = (User::new().await, User::new().await);
        let part = product(5_000, 2.5).await;
        let waiting = order(&customer, &part, 60).await;
        assert_eq!(ask(&customer, &waiting, 1).await.refused(409)["type"], "/problems/not-shipped");
        admin().await.send(put(format!("/orders/status/{waiting}"), &json!({}))).await.is(200);
        assert_eq!(ask(&customer, &waiting, 1).await.refused(409)["type"], "/problems/not-paid");
        let placed = shipped(&customer, &part).await;
        ask(&other, &placed, 1).await.is(404);
        ask(admin().await, &placed, 1).await.is(404);
        other.send(get(format!("/orders/{placed}/returns"))).await.is(404);
        for (body, field) in [
            (json!({"units": 1}), "reason"),
            (json!({"reason": "bored", "units": 1}), "reason"),
            (json!({"reason": "other"}), "units"),
            (json!({"reason": "other", "units": 0}), "units"),
            (json!({"reason": "other", "units": -1}), "units"),
            (json!({"reason": "other", "units": 61}), "units"),
            (json!({"reason": "other", "units": 99_999_999_999_i64}), "units"),
            (json!({"reason": "other", "units": 1, "details": "x".repeat(1001)}), "details"),
        ] {
            let refused = customer.send(post(format!("/orders/{placed}/returns"), &body)).await;
            assert!(!refused.field(field).is_empty(), "{body}");
        }
        assert_eq!(returns_of(&customer, &placed).await, Vec::<Value>::new());
    });
}

#[test]
fn a_repeated_key_is_the_same_return() {
    run(async {
        let customer = User::new().await;
        let placed = shipped(&customer, &product(500, 2.5).await).await;
        let key = fresh_key();
        let first = ask(&customer, &placed, 5).key(&key).await.is(201);
        let again = ask(&customer, &placed, 5).key(&key).await;
        assert_eq!(status_and_body(&again), status_and_body(&first));
        assert_eq!(returns_of(&customer, &placed).await.len(), 1);
        ask(&customer, &placed, 6).key(&key).await.refused(422);
    });
}

#[test]
fn the_customer_gets_an_email_about_the_decision() {
    run(async {
        // An address that nobody has confirmed gets only so many e-mails.
        let customer = User::log_in("customer@example.com", "demo-password").await;
        let boss = admin().await;
        let placed = shipped(&customer, &product(500, 2.5).await).await;
        let id = inserted(&ask(&customer, &placed, 10).await.is(201));
        boss.send(post(format!("/returns/{id}/decline"), &json!({"answer": "They were used."}))).await.is(200);
        eventually(Duration::from_secs(20), async || {
            let sent = boss.send(get("/outbox?state=sent&limit=100")).await.is(200).json();
            let about = |one: &Value| one["topic"] == "order.return_declined" && one["orderId"] == *placed;
            sent.as_array().unwrap().iter().any(about)
        })
        .await;
    });
}
