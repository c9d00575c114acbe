//! What admins see of orders and customers: counts, periods, notes, one customer.

use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::fixtures::{User, admin, created_at, fresh_key, order, pay, product, status_and_body};
use crate::server::{call, get, post, run};

async fn read(path: String) -> Value {
    admin().await.send(get(path)).await.is(200).json()
}

async fn ship(order: &str) {
    admin().await.send(call("PUT", format!("/orders/status/{order}"))).await.is(200);
}

#[test]
fn every_view_of_the_orders_is_counted() {
    run(async {
        let customer = User::new().await;
        let part = product(5_000, 2.5).await;
        let before = read("/orderCounts".into()).await;
        let awaiting = order(&customer, &part, 50).await;
        let ready = order(&customer, &part, 50).await;
        pay(&customer, &ready).await;
        let listed = async |state: &str| {
            let orders = read(format!("/allOrders?q={}&state={state}", customer.email)).await;
            orders.as_array().unwrap().iter().map(|one| one["_id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(listed("ready").await, std::slice::from_ref(&ready));
        assert_eq!(listed("reserved").await, [awaiting]);
        let after = read("/orderCounts".into()).await;
        // Other tests place orders too, and cancel some.
        for view in ["readyToShip", "awaitingPayment", "shipped", "needsAttention", "refunded", "cancelled", "all"] {
            assert!(after[view].is_u64(), "{view}: {after}");
        }
        assert!(after["all"].as_u64() >= before["all"].as_u64().map(|all| all + 2), "{before} {after}");
        assert!(after["readyToShip"].as_u64() >= Some(1), "{after}");
        ship(&ready).await;
        assert_eq!(listed("ready").await, Vec::<String>::new());
        assert_eq!(listed("shipped").await, [ready]);
    });
}

#[test]
fn a_period_holds_for_the_list_and_for_the_file() {
    run(async {
        let customer = User::new().await;
        let placed = crate::fixtures::some_order(&customer).await;
        let at = created_at(&read(format!("/orders/{placed}")).await);
        let today = at.to_zoned(TimeZone::UTC).date();
        let (yesterday, tomorrow) = (today.yesterday().unwrap(), today.tomorrow().unwrap());
        for (period, is_in) in [
            (format!("from={today}&to={today}"), true),
            (format!("from={yesterday}"), true),
            (format!("to={tomorrow}&limit=5"), true),
            (format!("from={tomorrow}"), false),
            (format!("to={yesterday}&limit=5"), false),
        ] {
            let query = format!("q={}&{period}", customer.email);
            let listed = admin().await.send(get(format!("/allOrders?{query}"))).await.is(200);
            assert_eq!(listed.json().as_array().unwrap().len(), usize::from(is_in), "{period}");
            assert_eq!(listed.header("x-total-count"), u8::from(is_in).to_string(), "{period}");
            let file = admin().await.send(get(format!("/allOrders.csv?{query}"))).await.is(200).text();
            assert_eq!(file.contains(&placed), is_in, "{period}");
        }
    });
}

#[test]
fn a_note_is_written_once_read_by_admins_and_removed() {
    run(async {
        let (customer, boss) = (User::new().await, admin().await);
        let placed = crate::fixtures::some_order(&customer).await;
        for path in [format!("/orders/{placed}/notes"), format!("/user/{}/notes", customer.email)] {
            let key = fresh_key();
            let write = || boss.send(post(path.as_str(), &json!({"text": " Call\nback. "}))).key(&key);
            let first = write().await.is(201);
            assert_eq!(status_and_body(&write().await), status_and_body(&first));
            boss.send(post(path.as_str(), &json!({"text": "Later"}))).await.is(201);
            let notes = read(path.clone()).await;
            let texts: Vec<&str> =
                notes.as_array().unwrap().iter().map(|note| note["text"].as_str().unwrap()).collect();
            assert_eq!(texts, ["Later", "Call\nback."]);
            assert_eq!(notes[1]["_id"], first.json()["insertedId"]);
            assert_eq!(notes[1]["author"], json!(boss.email));
            assert!(notes[1]["createdAt"].is_string(), "{notes}");

            for refused in [json!({}), json!({"text": " "}), json!({"text": "x".repeat(2_001)})] {
                boss.send(post(path.as_str(), &refused)).await.field("text");
            }
            customer.send(get(path.as_str())).await.refused(403);
            let gone = || boss.send(call("DELETE", format!("/notes/{}", first.json()["insertedId"].as_str().unwrap())));
            assert_eq!(gone().await.is(200).json(), json!({"deletedCount": 1}));
            assert_eq!(gone().await.is(200).json(), json!({"deletedCount": 0}));
            assert_eq!(read(path).await.as_array().unwrap().len(), 1);
        }
        let own = customer.send(get(format!("/orders/{placed}/events"))).await.is(200).text();
        assert!(!own.contains("Later"), "{own}");
        for path in
            ["/orders/0199f3a0-0000-7000-8000-000000000000/notes", "/orders/x/notes", "/user/no@example.com/notes"]
        {
            boss.send(get(path)).await.refused(404);
            boss.send(post(path, &json!({"text": "Nobody"}))).await.refused(404);
        }
    });
}

#[test]
fn a_customer_shows_their_account_their_orders_and_what_they_spent() {
    run(async {
        let customer = User::new().await;
        let path = format!("/user/{}", customer.email);
        let fresh = read(path.clone()).await;
        assert_eq!((&fresh["email"], &fresh["displayName"]), (&json!(customer.email), &json!("Some Body")));
        assert_eq!((&fresh["role"], &fresh["verified"]), (&json!("customer"), &json!(false)));
        assert_eq!(
            (&fresh["spent"], &fresh["firstOrderAt"], &fresh["lastOrderAt"]),
            (&json!(0), &Value::Null, &Value::Null)
        );

        let part = product(5_000, 2.5).await;
        let shipped = order(&customer, &part, 50).await;
        pay(&customer, &shipped).await;
        ship(&shipped).await;
        let cancelled = order(&customer, &part, 60).await;
        customer.send(call("DELETE", format!("/orders/{cancelled}"))).await.is(200);
        let waiting = order(&customer, &part, 70).await;
        let known = read(path).await;
        assert_eq!(
            known["orders"],
            json!({"readyToShip": 0, "awaitingPayment": 1, "shipped": 1, "refunded": 0, "cancelled": 1, "all": 3})
        );
        assert_eq!(known["spent"], json!(125));
        let placed_at = async |id: &str| read(format!("/orders/{id}")).await["createdAt"].clone();
        assert_eq!(known["firstOrderAt"], placed_at(&shipped).await);
        assert_eq!(known["lastOrderAt"], placed_at(&waiting).await);
        for nobody in ["/user/nobody@example.com", "/user/nobody"] {
            admin().await.send(get(nobody)).await.refused(404);
        }
    });
}
