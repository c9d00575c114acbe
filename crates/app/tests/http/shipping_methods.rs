//! Shipping methods, as admins manage them.

use serde_json::{Value, json};

use crate::fixtures::{User, add, admin, draft, inserted, unique};
use crate::server::{delete, get, post, put, run};

fn method(name: &str) -> Value {
    json!({
        "name": name, "countries": ["AQ", "BV"], "divisor": 5000, "freeOver": 140,
        "bands": [{"upToGrams": 1000, "price": 49}, {"upToGrams": 5000, "price": 79.5}],
        "perExtraKg": 2.25, "palletFromGrams": 100_000, "perPallet": null,
    })
}

async fn all() -> Vec<Value> {
    admin().await.send(get("/shipping-methods")).await.is(200).json().as_array().unwrap().clone()
}

#[test]
fn a_shop_begins_with_a_method_that_is_free_from_140_dollars_on() {
    run(async {
        let standard = all().await.into_iter().find(|method| method["_id"] == "1").unwrap();
        assert_eq!(
            standard,
            json!({
                "_id": "1", "name": "Standard", "countries": null, "divisor": 5000, "freeOver": 140,
                "bands": [{"upToGrams": 30_000, "price": 15}], "perExtraKg": 0, "palletFromGrams": null,
                "perPallet": null,
            })
        );
    });
}

#[test]
fn a_method_reads_back_is_replaced_and_removed() {
    run(async {
        let (boss, name) = (admin().await, format!("Polar {}", unique()));
        let id = inserted(&boss.send(post("/shipping-methods", &method(&name))).await);
        let mut expected = method(&name);
        expected["_id"] = json!(id);
        let found = async |id: &str| all().await.into_iter().find(|method| method["_id"] == id);
        assert_eq!(found(&id).await, Some(expected.clone()));

        let path = format!("/shipping-methods/{id}");
        let twice = boss.send(post("/shipping-methods", &method(&name.to_uppercase()))).await.refused(409);
        assert_eq!(twice["errors"][0]["field"], "name");
        let bare = json!({"name": name, "countries": ["BV", "BV"], "bands": [{"upToGrams": 5, "price": 0}]});
        assert_eq!(boss.send(put(&path, &bare)).await.is(200).json(), json!({"modifiedCount": 1}));
        let now = found(&id).await.unwrap();
        assert_eq!(
            (&now["countries"], &now["perExtraKg"], &now["freeOver"]),
            (&json!(["BV"]), &json!(0), &Value::Null)
        );

        assert_eq!(boss.send(delete(&path)).await.is(200).json(), json!({"deletedCount": 1}));
        boss.send(delete(&path)).await.is(404);
        boss.send(put(&path, &bare)).await.is(404);
        boss.send(delete("/shipping-methods/x")).await.is(404);
    });
}

#[test]
fn terms_that_make_no_sense_are_refused_field_by_field() {
    run(async {
        let boss = admin().await;
        let price = json!({"price": 1});
        let tall = |grams: &[i64]| grams.iter().map(|g| json!({"upToGrams": g, "price": 1})).collect::<Vec<_>>();
        for (change, field) in [
            (json!({"name": " "}), "name"),
            (json!({"name": "a".repeat(61)}), "name"),
            (json!({"countries": []}), "countries"),
            (json!({"countries": ["XX"]}), "countries"),
            (json!({"countries": vec!["US"; 250]}), "countries"),
            (json!({"divisor": 0}), "divisor"),
            (json!({"divisor": 1e300}), "divisor"),
            (json!({"freeOver": -1}), "freeOver"),
            (json!({"freeOver": 0.001}), "freeOver"),
            (json!({"bands": []}), "bands"),
            (json!({"bands": null}), "bands"),
            (json!({"bands": tall(&[5, 5])}), "bands"),
            (json!({"bands": tall(&(1..=51).collect::<Vec<_>>())}), "bands"),
            (json!({"bands": [price]}), "bands[0].upToGrams"),
            (json!({"bands": [{"upToGrams": 1, "price": -1}]}), "bands[0].price"),
            (json!({"perExtraKg": 1e15}), "perExtraKg"),
            (json!({"palletFromGrams": 0}), "palletFromGrams"),
            (json!({"palletFromGrams": null, "perPallet": 5}), "perPallet"),
        ] {
            let mut sent = method(&format!("Never {}", unique()));
            sent.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            let refused = boss.send(post("/shipping-methods", &sent)).await.refused(422);
            assert_eq!(refused["errors"][0]["field"], field, "{change}: {refused}");
        }
    });
}

#[test]
fn products_without_a_weight_are_listed() {
    run(async {
        let (bare, mut heavy) = (draft(100, 3.0), draft(100, 3.0));
        heavy["weight"] = json!(900);
        let (bare_id, heavy_id) = (add(&bare).await, add(&heavy).await);
        let listed = admin().await.send(get("/shipping-methods/unweighed")).await.is(200).json();
        let listed = listed.as_array().unwrap();
        let expected = json!({"_id": bare_id, "name": bare["name"], "partNumber": bare["partNumber"]});
        assert!(listed.contains(&expected), "{expected}");
        assert!(!listed.iter().any(|product| product["_id"] == heavy_id));
        User::new().await.send(get("/shipping-methods/unweighed")).await.is(403);
    });
}
