//! More customers than units.

use std::time::Instant;

use serde_json::Value;

use crate::checkouts::body;
use crate::fixtures::{User, fresh_key, product, purchase, stock};
use crate::server::{all, get, post, run};

#[test]
fn of_two_hundred_concurrent_orders_only_those_in_stock_succeed() {
    run(async {
        let part = product(2_500, 3.0).await;
        let mut customers = Vec::new();
        for _ in 0..5 {
            customers.push(User::new().await);
        }
        let begun = Instant::now();
        // With keys, so that a repeated call does not count twice; the orders and the acknowledged ids would show it.
        let order = |nth: usize| customers[nth % 5].send(post("/orders", &purchase(&part, 50))).key(&fresh_key());
        let answers = all((0..200).map(order)).await;
        let took = begun.elapsed();
        let of = |status: u16| answers.iter().filter(|answer| answer.status == status).count();
        assert_eq!((of(201), of(409)), (50, 150), "in {took:?}");
        for answer in answers.iter().filter(|answer| answer.status == 409) {
            let problem = answer.json();
            assert_eq!(problem["type"], "/problems/out-of-stock", "{answer}");
            assert!(problem["available"].as_u64().unwrap() < 2_500, "{answer}");
        }
        assert_eq!(stock(&part).await, 0);
        let mut sold = 0;
        let mut ids = Vec::new();
        for customer in &customers {
            for order in customer.orders().await {
                sold += order["quantity"].as_u64().unwrap();
                ids.push(order["_id"].as_str().unwrap().to_owned());
            }
        }
        assert_eq!(sold, 2_500);
        let mut acknowledged: Vec<String> = answers
            .iter()
            .filter(|answer| answer.status == 201)
            .map(|answer| answer.json()["insertedId"].as_str().unwrap().to_owned())
            .collect();
        ids.sort();
        acknowledged.sort();
        assert_eq!(ids, acknowledged);
    });
}

#[test]
fn two_hundred_customers_who_order_the_same_parts_in_any_sequence_get_all_lines_or_none() {
    run(async {
        let mut parts = Vec::new();
        for _ in 0..10 {
            // Enough for half of them.
            parts.push(product(10_000, 2.0).await);
        }
        let customers = User::crowd(200).await;
        let calls: Vec<_> = customers
            .iter()
            .enumerate()
            .map(|(nth, customer)| {
                // Twenty lines, each part twice, in a sequence of the customer's own.
                let (start, step) = (nth % 10, [1, 3, 7, 9][nth / 10 % 4]);
                let part = |line: usize| parts[(start + line * step) % 10].as_str();
                let lines: Vec<(&str, i64)> = (0..20).map(|line| (part(line), 50)).collect();
                customer.send(post("/checkouts", &body(&lines))).key(&fresh_key())
            })
            .collect();
        let begun = Instant::now();
        let answers = all(calls).await;
        let took = begun.elapsed();
        let of = |status: u16| answers.iter().filter(|answer| answer.status == status).count();
        assert_eq!((of(201), of(409)), (100, 100), "in {took:?}");
        for part in &parts {
            assert_eq!(stock(part).await, 0);
        }
        for (customer, answer) in customers.iter().zip(&answers) {
            let orders = customer.orders().await;
            assert_eq!(orders.len(), if answer.status == 201 { 10 } else { 0 }, "{answer}");
            assert!(orders.iter().all(|order| order["quantity"] == 100));
        }
    });
}

#[test]
fn a_hundred_users_can_sign_up_from_one_address_concurrently() {
    run(async {
        let calls = (0..100).map(|_| {
            let sent =
                serde_json::json!({"name": "Some Body", "email": User::fresh_email(), "password": "a long walk home"});
            post("/auth/signup", &sent)
        });
        for answer in all(calls).await {
            answer.is(201);
        }
    });
}

#[test]
fn concurrent_orders_and_cancellations_keep_the_units_consistent() {
    run(async {
        let part = product(1_000, 3.0).await;
        let customer = User::new().await;
        let mut placed = Vec::new();
        for _ in 0..10 {
            placed.push(crate::fixtures::order(&customer, &part, 50).await);
        }
        let cancels = placed.iter().map(|order| customer.send(crate::server::delete(format!("/orders/{order}"))));
        let buys = (0..20).map(|_| customer.send(post("/orders", &purchase(&part, 50))));
        // What happens twice is counted twice below.
        for answer in all(cancels.chain(buys)).await {
            assert!(matches!(answer.status, 200 | 201 | 409), "{answer}");
        }
        let orders = customer.send(get(format!("/orders?email={}", customer.email))).await.is(200).json();
        let sold: u64 =
            orders.as_array().unwrap().iter().map(|order: &Value| order["quantity"].as_u64().unwrap()).sum();
        assert_eq!(stock(&part).await + sold, 1_000);
    });
}
