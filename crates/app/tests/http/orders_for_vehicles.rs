//! The vehicle that an order is for.

use serde_json::{Value, json};

use crate::fixtures::{User, admin, inserted, product, purchase};
use crate::server::{get, post, put, run};

/// The id of the 2014 Toyota Camry.
const CAMRY: i32 = 390_258;

fn purchase_for(product: &str, vehicle: &Value) -> Value {
    let mut sent = purchase(product, 50);
    sent["vehicle"] = vehicle.clone();
    sent
}

/// The id of the condition under which a part fits.
async fn condition_of(product: &str) -> i64 {
    let fit = get(format!("/products/{product}/fit?vehicle={CAMRY}")).await.is(200).json();
    fit["conditions"][0]["id"].as_i64().unwrap()
}

#[test]
fn an_order_keeps_its_vehicle_and_what_was_said_of_it() {
    run(async {
        let (ada, part) = (User::new().await, product(1_000, 2.5).await);
        let fitments = json!({"fitments": [{"vehicle": CAMRY, "condition": "with tow bar"}]});
        admin().await.send(put(format!("/products/{part}/fitments"), &fitments)).await.is(200);
        let condition = condition_of(&part).await;
        let sent = purchase_for(&part, &json!({"id": CAMRY, "confirmed": [condition]}));
        let id = inserted(&ada.send(post("/orders", &sent)).await);
        let expected = json!({
            "id": CAMRY, "engine": null, "label": "2014 Toyota Camry", "verdict": "if",
            "conditions": [{"id": condition, "text": "with tow bar", "confirmed": true}],
        });
        let path = format!("/orders/{id}");
        assert_eq!(ada.send(get(&path)).await.is(200).json()["vehicle"], expected);

        // It is a snapshot: what is said later changes nothing.
        let none = json!({"fitments": []});
        admin().await.send(put(format!("/products/{part}/fitments"), &none)).await.is(200);
        assert_eq!(admin().await.send(get(&path)).await.is(200).json()["vehicle"], expected);
        assert_eq!(ada.orders().await[0]["vehicle"], expected);
        let gone = purchase_for(&part, &json!({"id": CAMRY, "confirmed": [condition]}));
        let refused = ada.send(post("/orders", &gone)).await.refused(422);
        assert_eq!(refused["errors"][0]["field"], "vehicle.confirmed");
    });
}

#[test]
fn a_bare_id_will_do_and_an_order_without_a_vehicle_has_none() {
    run(async {
        let (ada, part) = (User::new().await, product(1_000, 2.5).await);
        let id = inserted(&ada.send(post("/orders", &purchase_for(&part, &json!(CAMRY)))).await);
        let order = ada.send(get(format!("/orders/{id}"))).await.is(200).json();
        assert_eq!((&order["vehicle"]["id"], &order["vehicle"]["verdict"]), (&json!(CAMRY), &json!("unknown")));
        for vehicle in [None, Some(Value::Null)] {
            let mut sent = purchase(&part, 50);
            if let Some(vehicle) = vehicle {
                sent["vehicle"] = vehicle;
            }
            let id = inserted(&ada.send(post("/orders", &sent)).await);
            assert_eq!(ada.send(get(format!("/orders/{id}"))).await.is(200).json().get("vehicle"), None);
        }
    });
}

#[test]
fn an_unknown_vehicle_engine_or_condition_is_refused_and_takes_no_stock() {
    run(async {
        let (ada, part) = (User::new().await, product(60, 2.5).await);
        for (vehicle, field) in [
            (json!(1), "vehicle"),
            (json!(-1), "vehicle"),
            (json!("Camry"), "vehicle"),
            (json!([CAMRY]), "vehicle"),
            (json!({}), "vehicle"),
            (json!({"id": 1}), "vehicle.id"),
            (json!({"id": CAMRY, "engine": 1}), "vehicle.engine"),
            (json!({"id": CAMRY, "confirmed": [5]}), "vehicle.confirmed"),
            (json!({"id": CAMRY, "confirmed": "all"}), "vehicle"),
        ] {
            let refused = ada.send(post("/orders", &purchase_for(&part, &vehicle))).await.refused(422);
            assert_eq!(refused["errors"][0]["field"], field, "{vehicle}: {refused}");
        }
        assert_eq!(crate::fixtures::stock(&part).await, 60);
    });
}
