//! Saved lists, and ordering again.

use serde_json::{Value, json};

use crate::fixtures::{User, admin, fresh_key, inserted, order, product};
use crate::server::{all, call, delete, get, post, put, run};

async fn add(user: &User, name: &str, lines: &Value) -> String {
    inserted(&user.send(post("/lists", &json!({"name": name, "lines": lines}))).await)
}

#[test]
fn a_list_is_kept_changed_checked_and_removed_by_its_owner() {
    run(async {
        let (ada, ben) = (User::new().await, User::new().await);
        let (one, two) = (product(500, 2.5).await, product(55, 1.0).await);
        let lines = json!([
            {"productId": one, "quantity": 30}, {"productId": two, "quantity": 60}, {"productId": one, "quantity": 30, "price": 1},
        ]);
        let id = add(&ada, " Weekly brakes ", &lines).await;
        let listed = ada.send(get("/lists")).await.is(200);
        assert_eq!(listed.header("cache-control"), "no-store");
        let listed = listed.json();
        assert_eq!(
            (&listed[0]["_id"], &listed[0]["name"], &listed[0]["lines"]),
            (&json!(id), &json!("Weekly brakes"), &json!(2))
        );
        assert!(listed[0]["changedAt"].is_string());
        let path = format!("/lists/{id}");
        let list = ada.send(get(&path)).await.is(200).json();
        assert_eq!((&list["_id"], &list["name"]), (&json!(id), &json!("Weekly brakes")));
        let shown: Vec<_> =
            list["lines"].as_array().unwrap().iter().map(|line| (&line["productId"], &line["quantity"])).collect();
        assert_eq!(shown, [(&json!(one), &json!(60)), (&json!(two), &json!(60))]);
        assert!(list["lines"][0]["name"].is_string() && list["lines"][0]["partNumber"].is_string());
        assert_eq!(list["lines"][0].get("price"), None, "a list keeps no prices");

        let checked = ada.send(call("POST", format!("{path}/check"))).await.is(200).json();
        let rows = checked["rows"].as_array().unwrap();
        assert_eq!((&rows[0]["line"], &rows[0]["status"], &rows[0]["total"]), (&json!(1), &json!("ok"), &json!(150)));
        assert_eq!(
            (&rows[1]["line"], &rows[1]["status"], &rows[1]["quantity"]),
            (&json!(2), &json!("adjusted"), &json!(55))
        );
        assert_eq!(rows[1]["message"], "Lowered from 60 to 55. Only 55 are in stock.");
        assert_eq!((&checked["ok"], &checked["attention"], &checked["unknown"]), (&json!(1), &json!(1), &json!(0)));

        let renamed = ada.send(put(&path, &json!({"name": "Daily"}))).await.is(200).json();
        assert_eq!(renamed, json!({"modifiedCount": 1}));
        assert_eq!(ada.send(put(&path, &json!({"name": "Daily"}))).await.is(200).json(), json!({"modifiedCount": 0}));
        let changed = put(&path, &json!({"lines": [{"productId": two, "quantity": 50}]}));
        assert_eq!(ada.send(changed).await.is(200).json(), json!({"modifiedCount": 1}));
        let list = ada.send(get(&path)).await.is(200).json();
        assert_eq!((&list["name"], list["lines"].as_array().unwrap().len()), (&json!("Daily"), 1));

        for (method, path) in
            [("GET", path.clone()), ("PUT", path.clone()), ("DELETE", path.clone()), ("POST", format!("{path}/check"))]
        {
            let other = call(method, path).json(&json!({"name": "Mine"}));
            ben.send(other).await.is(404);
        }
        assert_eq!(ada.send(delete(&path)).await.is(200).json(), json!({"deletedCount": 1}));
        ada.send(delete(&path)).await.is(404);
        ada.send(get(&path)).await.is(404);
        ada.send(get("/lists/nothing")).await.is(404);
        assert_eq!(ada.send(get("/lists")).await.is(200).json(), json!([]));
    });
}

#[test]
fn wrong_lists_are_refused_field_by_field() {
    run(async {
        let (ada, part) = (User::new().await, product(500, 2.5).await);
        let id = add(&ada, "Weekly", &json!([])).await;
        let long = "a".repeat(81);
        for (sent, field) in [
            (json!({"name": ""}), "name"),
            (json!({"name": long}), "name"),
            (json!({"name": "a\u{0}b"}), "name"),
            (json!({"name": "A", "lines": [{"productId": part, "quantity": 0}]}), "lines[0].quantity"),
            (json!({"name": "A", "lines": [{"productId": "x", "quantity": 50}]}), "lines[0].productId"),
            (json!({"name": "A", "lines": vec![json!({"productId": part, "quantity": 50}); 1_001]}), "lines"),
        ] {
            for call in [post("/lists", &sent), put(format!("/lists/{id}"), &sent)] {
                let refused = ada.send(call).await.refused(422);
                assert_eq!(refused["errors"][0]["field"], field, "{sent}: {refused}");
            }
        }
        let refused = ada.send(post("/lists", &json!({}))).await.refused(422);
        assert_eq!(refused["message"], "Name is required");
        assert_eq!(ada.send(put(format!("/lists/{id}"), &json!({}))).await.is(200).json(), json!({"modifiedCount": 0}));
    });
}

#[test]
fn an_account_keeps_two_hundred_lists_and_one_under_one_key() {
    run(async {
        let (ada, key) = (User::new().await, fresh_key());
        let sent = json!({"name": "Weekly"});
        let first = ada.send(post("/lists", &sent).key(&key)).await.is(201).json();
        assert_eq!(ada.send(post("/lists", &sent).key(&key)).await.is(201).json(), first);
        ada.send(post("/lists", &json!({"name": "Daily"})).key(&key)).await.is(422);
        for _ in 0..10 {
            let added = all((0..20).map(|_| ada.send(post("/lists", &sent)))).await;
            assert!(added.iter().all(|answer| matches!(answer.status, 201 | 409)), "{added:?}");
        }
        let full = ada.send(post("/lists", &sent)).await.refused(409);
        assert_eq!((&full["type"], &full["most"]), (&json!("/problems/lists-full"), &json!(200)));
        assert_eq!(ada.send(get("/lists")).await.is(200).json().as_array().unwrap().len(), 200);
    });
}

#[test]
fn an_order_is_ordered_again_by_its_buyer_alone() {
    run(async {
        let (ada, ben, part) = (User::new().await, User::new().await, product(500, 2.5).await);
        let order = order(&ada, &part, 60).await;
        let again = format!("/orders/{order}/reorder");
        let checked = ada.send(call("POST", &again)).await.is(200).json();
        let row = &checked["rows"][0];
        assert_eq!((&row["status"], &row["productId"], &row["quantity"]), (&json!("ok"), &json!(part), &json!(60)));
        assert_eq!((&row["line"], &row["available"], &row["total"]), (&json!(1), &json!(440), &json!(150)));
        for other in [&ben, admin().await] {
            other.send(call("POST", &again)).await.is(404);
        }
        ada.send(call("POST", "/orders/nothing/reorder")).await.is(404);
        assert_eq!(ada.orders().await.len(), 1, "nothing is ordered by it");
        admin().await.send(delete(format!("/products/{part}"))).await.is(200);
        let checked = ada.send(call("POST", &again)).await.is(200).json();
        assert_eq!(checked["rows"][0]["status"], "unknown");
        assert!(checked["rows"][0]["message"].as_str().unwrap().ends_with("is no longer sold."), "{checked}");
    });
}

#[test]
fn a_checkout_is_ordered_again_line_by_line_by_its_buyer_alone() {
    run(async {
        let (ada, ben) = (User::new().await, User::new().await);
        let (one, two) = (product(500, 2.5).await, product(500, 3.0).await);
        let sent = json!({
            "lines": [{"productId": one, "quantity": 60}, {"productId": two, "quantity": 450}],
            "contact": {"name": "Some Body", "phone": "+49 30 123456"},
            "address": {"line1": "1 Long Road", "city": "Springfield", "region": "IL", "postcode": "62701", "country": "US"},
            "terms": "card",
        });
        let placed = ada.send(post("/checkouts", &sent)).await.is(201).json();
        let again = format!("/checkouts/{}/reorder", placed["checkoutId"].as_str().unwrap());
        let checked = ada.send(call("POST", &again)).await.is(200).json();
        let rows: Vec<_> = checked["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| (&row["line"], &row["productId"], &row["status"], &row["available"]))
            .collect();
        assert_eq!(
            rows,
            [
                (&json!(1), &json!(one), &json!("ok"), &json!(440)),
                (&json!(2), &json!(two), &json!("adjusted"), &json!(50)),
            ]
        );
        for other in [&ben, admin().await] {
            other.send(call("POST", &again)).await.is(404);
        }
        ada.send(call("POST", "/checkouts/nothing/reorder")).await.is(404);
    });
}
