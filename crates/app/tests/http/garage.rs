//! The vehicles of one's own garage.

use serde_json::{Value, json};

use crate::fixtures::{User, fresh_key};
use crate::server::{Demo, delete, get, post, put, run};

/// The ids of the 2014 Toyota Camry and of its engine of 2.5 liters.
async fn camry() -> (i64, i64) {
    let found = get("/vehicles?q=2014%20camry").await.is(200).json();
    let vehicle = found[0]["vehicle"].as_i64().unwrap();
    let engines = get(format!("/vehicles/engines?vehicle={vehicle}")).await.is(200).json();
    (vehicle, engines[0]["id"].as_i64().unwrap())
}

const VIN: &str = "1HGCM82633A004352";

async fn garage(user: &User) -> Vec<Value> {
    user.send(get("/garage")).await.is(200).json().as_array().unwrap().clone()
}

#[test]
fn a_vehicle_is_kept_renamed_and_removed_by_its_owner() {
    run(async {
        let (ada, ben, (vehicle, engine)) = (User::new().await, User::new().await, camry().await);
        assert_eq!(garage(&ada).await, [] as [Value; 0]);
        let sent =
            json!({"vehicle": vehicle, "engine": engine, "name": " Delivery van ", "vin": "1hgcm-82633 a004352"});
        let answer = ada.send(post("/garage", &sent)).await.is(201);
        assert_eq!(answer.header("cache-control"), "no-store");
        let kept = answer.json();
        assert_eq!(
            (&kept["vehicle"], &kept["engine"], &kept["name"], &kept["vin"], &kept["label"]),
            (
                &json!(vehicle),
                &json!(engine),
                &json!("Delivery van"),
                &json!(VIN),
                &json!("2014 Toyota Camry, 2.5 L 4 cyl")
            )
        );
        let listed = ada.send(get("/garage")).await.is(200);
        assert_eq!(listed.header("cache-control"), "no-store");
        assert_eq!(listed.json(), json!([kept]));
        assert_eq!(garage(&ben).await.len(), 0);

        let path = format!("/garage/{}", kept["_id"].as_str().unwrap());
        let renamed = ada.send(put(&path, &json!({"name": null}))).await.is(200).json();
        assert_eq!((&renamed["name"], &renamed["vin"]), (&Value::Null, &json!(VIN)), "what is not sent stays");
        let other = ada.send(put(&path, &json!({"vehicle": vehicle, "vin": ""}))).await.is(200).json();
        assert_eq!((&other["engine"], &other["vin"]), (&Value::Null, &Value::Null));
        assert_eq!(garage(&ada).await, [other]);

        for stranger in [&ben, crate::fixtures::admin().await] {
            stranger.send(put(&path, &json!({"name": "Mine"}))).await.is(404);
            stranger.send(delete(&path)).await.is(404);
        }
        assert_eq!(ada.send(delete(&path)).await.is(200).json(), json!({"deletedCount": 1}));
        ada.send(delete(&path)).await.is(404);
        assert_eq!(garage(&ada).await.len(), 0);
    });
}

#[test]
fn what_is_no_vehicle_engine_name_or_vin_is_refused() {
    run(async {
        let (ada, (vehicle, engine)) = (User::new().await, camry().await);
        let engine_of_other = engine + 128;
        for (sent, field) in [
            (json!({}), "vehicle"),
            (json!({"vehicle": null}), "vehicle"),
            (json!({"vehicle": 1}), "vehicle"),
            (json!({"vehicle": -1}), "vehicle"),
            (json!({"vehicle": 1e300}), "vehicle"),
            (json!({"vehicle": "Camry"}), "vehicle"),
            (json!({"vehicle": vehicle, "engine": 1}), "engine"),
            (json!({"vehicle": vehicle, "engine": engine_of_other}), "engine"),
            (json!({"vehicle": vehicle, "name": "a".repeat(61)}), "name"),
            (json!({"vehicle": vehicle, "name": 3}), "name"),
            (json!({"vehicle": vehicle, "vin": "1HGCM82633A00435"}), "vin"),
            (json!({"vehicle": vehicle, "vin": "1HGCM82633A00435O"}), "vin"),
        ] {
            let refused = ada.send(post("/garage", &sent)).await.refused(422);
            assert_eq!(refused["errors"][0]["field"], field, "{sent}: {refused}");
            assert!(!refused.to_string().contains("HGCM"), "a refusal repeats the VIN: {refused}");
        }
        ada.send(post("/garage", &json!([]))).await.is(422);
        let short = ada.send(post("/garage", &json!({"vehicle": vehicle, "vin": "1"}))).await.refused(422);
        assert_eq!(short["message"], "A VIN has 17 letters and digits, this has 1");
        // A VIN of no known vehicle, and a wrong check digit, are whoever typed them's own affair.
        ada.send(post("/garage", &json!({"vehicle": vehicle, "vin": "ZZZ00000000000000"}))).await.is(201);
        ada.send(post("/garage", &json!({"vehicle": vehicle, "name": " ", "vin": " ", "engine": null}))).await.is(201);
        let path = format!("/garage/{}", garage(&ada).await[0]["_id"].as_str().unwrap());
        for (sent, field) in [
            (json!({"engine": engine}), "vehicle"),
            (json!({"vehicle": null, "engine": engine}), "vehicle"),
            (json!({"vehicle": vehicle, "engine": engine_of_other}), "engine"),
            (json!({"vin": "1"}), "vin"),
        ] {
            let refused = ada.send(put(&path, &sent)).await.refused(422);
            assert_eq!(refused["errors"][0]["field"], field, "{sent}: {refused}");
        }
        ada.send(put("/garage/nothing", &json!({}))).await.is(404);
        ada.send(delete("/garage/nothing")).await.is(404);
    });
}

#[test]
fn what_a_visitor_chose_is_merged_once() {
    run(async {
        let (ada, (vehicle, engine)) = (User::new().await, camry().await);
        ada.send(post("/garage", &json!({"vehicle": vehicle, "vin": VIN}))).await.is(201);
        let sent = json!({"vehicles": [
            {"vehicle": vehicle, "engine": engine, "label": "2014 Toyota Camry"},
            {"vehicle": vehicle},
            {"vehicle": vehicle, "name": "Old one"},
        ]});
        let merged = ada.send(post("/garage/merge", &sent)).await.is(200);
        assert_eq!(merged.header("cache-control"), "no-store");
        let merged = merged.json();
        let shown: Vec<_> = merged.as_array().unwrap().iter().map(|each| (&each["engine"], &each["name"])).collect();
        let (none, old) = (Value::Null, json!("Old one"));
        assert_eq!(shown, [(&json!(engine), &none), (&none, &old), (&none, &none)]);
        assert_eq!(merged[2]["vin"], VIN);
        assert_eq!(ada.send(post("/garage/merge", &sent)).await.is(200).json(), merged);
        assert_eq!(ada.send(post("/garage/merge", &json!({"vehicles": []}))).await.is(200).json(), merged);

        let refused =
            ada.send(post("/garage/merge", &json!({"vehicles": [{"vehicle": vehicle}, {}]}))).await.refused(422);
        assert_eq!(refused["errors"][0]["field"], "vehicles[1].vehicle");
        for sent in [json!({}), json!({"vehicles": null}), json!({"vehicles": 3}), json!({"vehicles": ["a"]})] {
            ada.send(post("/garage/merge", &sent)).await.is(422);
        }
    });
}

#[test]
fn a_garage_of_two_hundred_vehicles_is_full() {
    run(async {
        let (ada, (vehicle, _)) = (User::new().await, camry().await);
        let named = |nth: usize| json!({"vehicle": vehicle, "name": format!("Car {nth}")});
        let most: Vec<_> = (0..200).map(named).collect();
        ada.send(post("/garage/merge", &json!({"vehicles": most}))).await.is(200);
        let full = ada.send(post("/garage", &named(200))).await.refused(409);
        assert_eq!((&full["type"], &full["most"]), (&json!("/problems/garage-full"), &json!(200)));
        let full = ada.send(post("/garage/merge", &json!({"vehicles": [named(0), named(201)]}))).await.refused(409);
        assert_eq!(full["message"], "Your garage holds up to 200 vehicles. Remove one to add another.");
        assert_eq!(garage(&ada).await.len(), 200);
        let more: Vec<_> = (0..201).map(named).collect();
        ada.send(post("/garage/merge", &json!({"vehicles": more}))).await.refused(422);
    });
}

#[test]
fn the_same_vehicle_under_one_key_is_kept_once() {
    run(async {
        let (ada, (vehicle, _), key) = (User::new().await, camry().await, fresh_key());
        let sent = json!({"vehicle": vehicle, "vin": VIN});
        let first = ada.send(post("/garage", &sent).key(&key)).await.is(201).json();
        assert_eq!(ada.send(post("/garage", &sent).key(&key)).await.is(201).json(), first);
        ada.send(post("/garage", &json!({"vehicle": vehicle}).clone()).key(&key)).await.is(422);
        assert_eq!(garage(&ada).await, [first]);
    });
}

#[test]
fn a_kept_vin_stands_in_its_owners_answers_and_in_no_log() {
    run(async {
        let log = std::env::temp_dir().join(format!("driveline-garage-{}.log", std::process::id()));
        let demo = Demo::open(&[("RUST_LOG", "trace"), ("LOG_TO", &log.display().to_string())]);
        let (ada, (vehicle, _)) = (User::new_at(&demo).await, camry().await);
        let sent = json!({"vehicle": vehicle, "vin": VIN});
        ada.send(post("/garage", &sent)).at(&demo).await.is(201);
        ada.send(post("/garage", &sent).key(&fresh_key())).at(&demo).await.is(201);
        ada.send(post("/garage", &json!({"vehicle": vehicle, "vin": format!("{VIN}2")}))).at(&demo).await.is(422);
        let metrics = get("/metrics").at(&demo).await.is(200).text();
        demo.crash();
        let output = std::fs::read_to_string(&log).unwrap();
        std::fs::remove_file(&log).unwrap();
        for of_all in [&metrics, &output] {
            assert!(!of_all.to_uppercase().contains("HGCM82633A004352"), "a VIN is in what others read");
        }
    });
}
