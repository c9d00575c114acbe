//! Orders: prices, limits, states and histories.

use serde_json::{Value, json};

use crate::fixtures::{
    User, add, admin, draft, event_kinds, inserted, order, pay, product, purchase, some_order, stock, timeline,
};
use crate::server::{all, call, delete, get, post, put, run};

#[test]
fn an_order_is_a_snapshot_of_the_product_and_the_customer() {
    run(async {
        let customer = User::new().await;
        let mut part = draft(500, 19.99);
        part["category"] = json!("TIRES");
        let id = add(&part).await;
        let mut sent = purchase(&id, 57);
        // Fields that the client cannot decide are accepted and ignored.
        for (field, lie) in [
            ("productName", "Lie"),
            ("category", "BOATS"),
            ("details", "Lie"),
            ("img", "javascript:lie"),
            ("status", "paid"),
        ] {
            sent[field] = json!(lie);
        }
        sent["price"] = json!(1_139.43);
        sent["email"] = json!(customer.email.to_uppercase());
        sent["paid"] = json!(true);
        sent["_id"] = json!("mine");
        let placed = inserted(&customer.send(post("/orders", &sent)).await);
        let answer = customer.send(get(format!("/orders/{placed}"))).await.is(200);
        assert!(answer.text().contains("\"price\":1139.43,"), "{answer}");
        let returned = answer.json();
        for (field, expected) in [
            ("_id", json!(placed)),
            ("productId", json!(id)),
            ("name", json!("Some Body")),
            ("email", json!(customer.email)),
            ("phone", sent["phone"].clone()),
            ("address", sent["address"].clone()),
            ("productName", part["name"].clone()),
            ("category", json!("TIRES")),
            ("description", part["description"].clone()),
            ("details", part["description"].clone()),
            ("img", part["img"].clone()),
            ("unitPrice", json!(19.99)),
            ("quantity", json!(57)),
            ("paid", json!(false)),
            ("status", json!("Pending")),
            ("payment", Value::Null),
            ("paidAt", Value::Null),
            ("shippedAt", Value::Null),
        ] {
            assert_eq!(returned[field], expected, "{field}");
        }
        assert!(returned["createdAt"].as_str().unwrap().ends_with('Z'));
        assert_eq!(stock(&id).await, 443);
        // A later price applies to later orders only.
        admin()
            .await
            .send(put(format!("/products/{id}"), &json!({"updatedQuantity": 0, "updatedPrice": 25})))
            .await
            .is(200);
        assert_eq!(customer.send(get(format!("/orders/{placed}"))).await.is(200).json()["price"], 1_139.43);
    });
}

#[test]
fn totals_are_exact_to_the_cent() {
    run(async {
        let customer = User::new().await;
        for (price, quantity, total) in [
            (0.07, 53, "3.71"),
            (0.1, 53, "5.3"),
            (1.1, 70, "77"),
            (4.35, 100, "435"),
            (1.005e3, 51, "51255"),
            (9_999.99, 999, "9989990.01"),
        ] {
            let placed = order(&customer, &product(1_000, price).await, quantity).await;
            let returned = customer.send(get(format!("/orders/{placed}"))).await.is(200).text();
            assert!(returned.contains(&format!("\"price\":{total},")), "{price} × {quantity}: {returned}");
        }
    });
}

#[test]
fn an_outdated_price_is_refused_with_the_current_one() {
    run(async {
        let customer = User::new().await;
        let id = product(500, 2.5).await;
        let mut sent = purchase(&id, 50);
        for shown in [json!(124.99), json!(0), json!(-125), json!(1e300), json!(125.01)] {
            sent["price"] = shown;
            let refused = customer.send(post("/orders", &sent)).await.refused(409);
            assert_eq!(refused["type"], "/problems/price-changed");
            assert_eq!((&refused["price"], &refused["unitPrice"]), (&json!(125), &json!(2.5)), "{refused}");
        }
        assert_eq!(stock(&id).await, 500);
        assert!(customer.orders().await.is_empty());
        // Rounding errors of a browser's own multiplication below a cent are accepted.
        for shown in [json!(125), json!(125.0), json!(125.000_000_000_1), json!(124.999_999_999_9), Value::Null] {
            sent["price"] = shown;
            customer.send(post("/orders", &sent)).await.is(201);
        }
    });
}

#[test]
fn a_product_can_be_selected_by_its_attributes_if_they_are_unique() {
    run(async {
        let customer = User::new().await;
        let part = draft(500, 2.0);
        let id = add(&part).await;
        let mut sent = purchase(&id, 50);
        sent.as_object_mut().unwrap().remove("productId");
        sent["productName"] = part["name"].clone();
        sent["category"] = part["category"].clone();
        sent["img"] = part["img"].clone();
        let placed = inserted(&customer.send(post("/orders", &sent)).await);
        assert_eq!(customer.send(get(format!("/orders/{placed}"))).await.is(200).json()["productId"], id);
        for (field, other) in [
            ("productName", json!("Another")),
            ("category", json!("TIRES")),
            ("img", json!("https://pictures.example.com/no.png")),
        ] {
            let mut other_attributes = sent.clone();
            other_attributes[field] = other;
            customer.send(post("/orders", &other_attributes)).await.is(422);
            other_attributes.as_object_mut().unwrap().remove(field);
            customer.send(post("/orders", &other_attributes)).await.is(422);
        }
        add(&part).await;
        customer.send(post("/orders", &sent)).await.is(422);
        assert_eq!(stock(&id).await, 450);
    });
}

#[test]
fn a_quantity_is_a_whole_number_from_the_minimum_up_to_the_stock() {
    run(async {
        let customer = User::new().await;
        let mut part = draft(100, 2.0);
        part["minOrder"] = json!(80);
        let id = add(&part).await;
        let with = |quantity: Value| {
            let mut sent = purchase(&id, 0);
            sent["quantity"] = quantity;
            customer.send(post("/orders", &sent))
        };
        for below in [json!(79), json!(50), json!(1), json!(0), json!(-80), json!(i64::MIN)] {
            with(below).await.field("quantity");
        }
        for odd in [json!(80.5), json!("80"), json!([80]), json!({}), json!(true), Value::Null] {
            with(odd).await.field("quantity");
        }
        for above in [json!(101), json!(4_000_000_000_u64)] {
            let refused = with(above).await.refused(409);
            assert_eq!((&refused["type"], &refused["available"]), (&json!("/problems/out-of-stock"), &json!(100)));
        }
        for huge in [json!(i64::MAX), json!(u64::MAX), json!(1e300)] {
            let answer = with(huge).await;
            assert!(matches!(answer.status, 409 | 422), "{answer}");
        }
        assert_eq!(stock(&id).await, 100);
        with(json!(80.0)).await.is(201);
        assert_eq!(stock(&id).await, 20);
        // The rest is below the minimum: the product cannot be ordered.
        assert_eq!(with(json!(80)).await.refused(409)["available"], 20);
    });
}

#[test]
fn an_order_needs_a_valid_contact_and_product() {
    run(async {
        let customer = User::new().await;
        let id = product(500, 2.0).await;
        for (field, wrong) in [
            ("name", json!("")),
            ("name", json!(" ")),
            ("name", json!("n".repeat(1_000))),
            ("phone", json!("")),
            ("phone", json!("1".repeat(1_000))),
            ("address", json!("")),
            ("address", json!("a".repeat(10_000))),
            ("address", Value::Null),
        ] {
            let mut sent = purchase(&id, 50);
            sent[field] = wrong;
            customer.send(post("/orders", &sent)).await.field(field);
        }
        for nothing in ["x", "00000000-0000-7000-8000-000000000000", ""] {
            let answer = customer.send(post("/orders", &purchase(nothing, 50))).await;
            assert!(matches!(answer.status, 404 | 422), "{answer}");
        }
        assert_eq!(stock(&id).await, 500);
    });
}

#[test]
fn a_customer_can_order_only_for_themselves() {
    run(async {
        let (customer, other) = (User::new().await, User::new().await);
        let id = product(500, 2.0).await;
        let mut sent = purchase(&id, 50);
        sent["email"] = json!(other.email);
        customer.send(post("/orders", &sent)).await.is(403);
        assert_eq!(stock(&id).await, 500);
    });
}

#[test]
fn order_lists_are_newest_first_and_show_only_ones_own() {
    run(async {
        let (customer, other) = (User::new().await, User::new().await);
        let id = product(1_000, 2.0).await;
        let placed =
            [order(&customer, &id, 50).await, order(&customer, &id, 60).await, order(&customer, &id, 70).await];
        let ids = |listed: &[Value]| -> Vec<String> {
            listed.iter().map(|order| order["_id"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(ids(&customer.orders().await), [&*placed[2], &*placed[1], &*placed[0]]);
        assert!(other.orders().await.is_empty());
        other.send(get(format!("/orders?email={}", customer.email))).await.is(403);
        let upper = customer.email.to_uppercase();
        assert_eq!(
            customer.send(get(format!("/orders?email={upper}"))).await.is(200).json().as_array().unwrap().len(),
            3
        );
        let everything = admin().await.send(get("/allOrders")).await.is(200).json();
        let everything = ids(everything.as_array().unwrap());
        assert!(placed.iter().all(|order| everything.contains(order)));
        let theirs = admin().await.send(get(format!("/orders?email={}", customer.email))).await.is(200).json();
        assert_eq!(theirs.as_array().unwrap().len(), 3);
    });
}

#[test]
fn a_cancellation_returns_the_units_once_and_leaves_only_the_history() {
    run(async {
        let (customer, other) = (User::new().await, User::new().await);
        let id = product(500, 2.0).await;
        let placed = order(&customer, &id, 120).await;
        let path = format!("/orders/{placed}");
        assert_eq!(stock(&id).await, 380);
        other.send(delete(&*path)).await.is(404);
        assert_eq!(customer.send(delete(&*path)).await.is(200).json(), json!({"deletedCount": 1}));
        assert_eq!(customer.send(delete(&*path)).await.is(200).json(), json!({"deletedCount": 0}));
        other.send(delete(&*path)).await.is(404);
        assert_eq!(stock(&id).await, 500);
        customer.send(get(&*path)).await.is(404);
        admin().await.send(get(&*path)).await.is(404);
        assert!(customer.orders().await.is_empty());
        let everything = admin().await.send(get("/allOrders")).await.is(200).text();
        assert!(!everything.contains(&placed));
        assert_eq!(event_kinds(&customer, &placed).await, ["ordered", "cancelled"]);
        assert_eq!(event_kinds(admin().await, &placed).await, ["ordered", "cancelled"]);
        other.send(get(format!("{path}/events"))).await.is(404);
        admin().await.send(call("PUT", format!("/orders/status/{placed}"))).await.is(404);
        customer.send(delete("/orders/00000000-0000-7000-8000-000000000000")).await.is(404);
    });
}

#[test]
fn twenty_concurrent_cancellations_return_the_units_once() {
    run(async {
        let customer = User::new().await;
        let id = product(500, 2.0).await;
        let placed = order(&customer, &id, 100).await;
        let boss = admin().await;
        let calls = (0..20).map(|nth| {
            let cancel = delete(format!("/orders/{placed}"));
            if nth % 2 == 0 { customer.send(cancel) } else { boss.send(cancel) }
        });
        let answers = all(calls).await;
        let done = answers.iter().filter(|answer| answer.status == 200 && answer.json()["deletedCount"] == 1).count();
        assert_eq!(done, 1);
        for answer in answers {
            // An admin who comes second gets either nothing changed or not found.
            assert!(matches!(answer.status, 200 | 404), "{answer}");
        }
        assert_eq!(stock(&id).await, 500);
        assert_eq!(event_kinds(&customer, &placed).await, ["ordered", "cancelled"]);
    });
}

#[test]
fn a_paid_or_shipped_order_is_not_cancelled() {
    run(async {
        let customer = User::new().await;
        let boss = admin().await;
        let paid = some_order(&customer).await;
        pay(&customer, &paid).await;
        let shipped = some_order(&customer).await;
        boss.send(call("PUT", format!("/orders/status/{shipped}"))).await.is(200);
        for placed in [paid, shipped] {
            customer.send(delete(format!("/orders/{placed}"))).await.is(409);
            boss.send(delete(format!("/orders/{placed}"))).await.is(409);
            customer.send(get(format!("/orders/{placed}"))).await.is(200);
        }
    });
}

#[test]
fn an_unpaid_order_ships_on_account_once_and_stays_payable() {
    run(async {
        let customer = User::new().await;
        let boss = admin().await;
        let placed = some_order(&customer).await;
        let ship = format!("/orders/status/{placed}");
        let answers = all((0..10).map(|_| boss.send(call("PUT", &*ship)))).await;
        let counts: Vec<u64> =
            answers.into_iter().map(|answer| answer.is(200).json()["modifiedCount"].as_u64().unwrap()).collect();
        assert_eq!(counts.iter().sum::<u64>(), 1, "{counts:?}");
        let returned = customer.send(get(format!("/orders/{placed}"))).await.is(200).json();
        assert_eq!(
            (&returned["status"], &returned["paid"], &returned["payment"]),
            (&json!("paid"), &json!(false), &Value::Null)
        );
        assert!(returned["shippedAt"].is_string() && returned["paidAt"].is_null());
        let shipped = &timeline(&customer, &placed).await[1];
        assert_eq!((&shipped["what"], &shipped["onAccount"]), (&json!("shipped"), &json!(true)));
        pay(&customer, &placed).await;
        let returned = customer.send(get(format!("/orders/{placed}"))).await.is(200).json();
        assert_eq!((&returned["status"], &returned["paid"]), (&json!("paid"), &json!(true)));
        assert_eq!(boss.send(call("PUT", &*ship)).await.is(200).json(), json!({"modifiedCount": 0}));
        assert_eq!(event_kinds(&customer, &placed).await, ["ordered", "shipped", "paid"]);
    });
}

#[test]
fn an_order_shipped_and_cancelled_concurrently_ends_in_one_of_the_two() {
    run(async {
        let boss = admin().await;
        let customer = User::new().await;
        for _ in 0..12 {
            let placed = some_order(&customer).await;
            let ship = boss.send(call("PUT", format!("/orders/status/{placed}")));
            let cancel = customer.send(delete(format!("/orders/{placed}")));
            let answers = all([ship, cancel]).await;
            let history = event_kinds(&customer, &placed).await;
            match (answers[0].status, answers[1].status) {
                (200, 409) => assert_eq!(history, ["ordered", "shipped"]),
                (404, 200) => assert_eq!(history, ["ordered", "cancelled"]),
                other => panic!("{other:?}: {} {}", answers[0], answers[1]),
            }
        }
    });
}

#[test]
fn no_customer_is_charged_a_price_that_changed_while_they_ordered() {
    run(async {
        let boss = admin().await;
        let customer = User::new().await;
        let part = product(10_000, 2.0).await;
        let calls = (0..60).map(|nth| {
            let mut sent = purchase(&part, 50);
            sent["price"] = json!(100);
            match nth % 3 {
                0 => {
                    let price = if nth % 2 == 0 { 2 } else { 3 };
                    boss.send(put(format!("/products/{part}"), &json!({"updatedQuantity": 0, "updatedPrice": price})))
                }
                _ => customer.send(post("/orders", &sent)),
            }
        });
        // The prices of all orders are checked, so an order may also be placed twice.
        for answer in all(calls).await {
            assert!(matches!(answer.status, 200 | 201 | 409), "{answer}");
        }
        for order in customer.orders().await {
            assert_eq!((&order["price"], &order["unitPrice"]), (&json!(100), &json!(2)), "{order}");
        }
    });
}

#[test]
fn a_timeline_shows_who_did_what_and_when() {
    run(async {
        let customer = User::new().await;
        let boss = admin().await;
        let placed = some_order(&customer).await;
        let transaction = pay(&customer, &placed).await;
        boss.send(call("PUT", format!("/orders/status/{placed}"))).await.is(200);
        let seen = timeline(&customer, &placed).await;
        let whats: Vec<&str> = seen.iter().map(|event| event["what"].as_str().unwrap()).collect();
        assert_eq!(whats, ["ordered", "paid", "shipped"]);
        assert_eq!((&seen[0]["quantity"], &seen[0]["price"]), (&json!(50), &json!(125)));
        assert_eq!(seen[1]["transactionId"], transaction);
        assert_eq!(seen[2]["onAccount"], false);
        assert_eq!(seen[0]["who"], customer.email);
        // A customer does not see which member of staff it was.
        assert_eq!(seen[2]["who"], "Driveline");
        assert_eq!(timeline(boss, &placed).await[2]["who"], "admin@example.com");
        let whens: Vec<&str> = seen.iter().map(|event| event["when"].as_str().unwrap()).collect();
        assert!(whens.is_sorted() && whens.iter().all(|when| when.ends_with('Z')), "{whens:?}");
        let returned = customer.send(get(format!("/orders/{placed}"))).await.is(200).json();
        assert_eq!((&returned["status"], &returned["paid"]), (&json!("paid"), &json!(true)));
    });
}

#[test]
fn an_order_of_the_largest_total_is_placed_or_refused_but_never_wrong() {
    run(async {
        let customer = User::new().await;
        let id = product(1_000_000_000, 9_999_999.99).await;
        let answer = customer.send(post("/orders", &purchase(&id, 1_000_000_000))).await;
        answer.is(422);
        assert_eq!(stock(&id).await, 1_000_000_000);
        let placed = order(&customer, &id, 99_999).await;
        let returned = customer.send(get(format!("/orders/{placed}"))).await.is(200).text();
        assert!(returned.contains("\"price\":999989999000.01,"), "{returned}");
        // No card can be charged that much.
        let answer = customer.send(post("/create-payment-intent", &json!({"orderId": placed}))).await;
        assert!(matches!(answer.status, 409 | 422), "{answer}");
    });
}
