//! One's own address book, and the countries.

use serde_json::{Value, json};

use crate::fixtures::{User, admin, fresh_key};
use crate::server::{all, delete, get, post, put, run};

fn depot(name: &str) -> Value {
    json!({
        "name": name, "company": "Depot 7", "line1": "1 Industrial Way", "city": "Springfield", "region": "illinois",
        "postcode": "627011234", "country": "us", "phone": "555 0100",
    })
}

async fn book(user: &User) -> Vec<Value> {
    user.send(get("/addresses")).await.is(200).json().as_array().unwrap().clone()
}

#[test]
fn an_address_is_kept_replaced_and_removed_by_its_owner() {
    run(async {
        let (ada, ben) = (User::new().await, User::new().await);
        let answer = ada.send(post("/addresses", &depot(" Ada "))).await.is(201);
        assert_eq!(answer.header("cache-control"), "no-store");
        let kept = answer.json();
        let expected = json!({
            "_id": kept["_id"], "name": "Ada", "company": "Depot 7", "line1": "1 Industrial Way", "line2": null,
            "city": "Springfield", "region": "IL", "postcode": "62701-1234", "country": "US", "phone": "555 0100",
            "isDefault": true,
        });
        assert_eq!(kept, expected, "the first one is the default");
        assert_eq!(book(&ada).await, std::slice::from_ref(&kept));
        assert_eq!(book(&ben).await.len(), 0);

        let path = format!("/addresses/{}", kept["_id"].as_str().unwrap());
        let berlin = json!({"name": "Ada", "line1": "Hof 2", "city": "Berlin", "postcode": "10115", "country": "DE"});
        for stranger in [&ben, admin().await] {
            stranger.send(put(&path, &berlin)).await.is(404);
            stranger.send(delete(&path)).await.is(404);
        }
        let now = ada.send(put(&path, &berlin)).await.is(200).json();
        assert_eq!((&now["company"], &now["city"], &now["isDefault"]), (&Value::Null, &json!("Berlin"), &json!(false)));
        assert_eq!(ada.send(delete(&path)).await.is(200).json(), json!({"deletedCount": 1}));
        ada.send(delete(&path)).await.is(404);
        assert_eq!(book(&ada).await.len(), 0);
    });
}

#[test]
fn an_admin_reads_the_addresses_of_a_customer() {
    run(async {
        let ada = User::new().await;
        ada.send(post("/addresses", &depot("Depot"))).await.is(201);
        let of = |email: &str| get(format!("/user/{email}/addresses"));
        let read = admin().await.send(of(&ada.email)).await.is(200).json();
        assert_eq!(read, json!(book(&ada).await));
        assert_eq!(read.as_array().unwrap().len(), 1);
        ada.send(of(&ada.email)).await.is(403);
        admin().await.send(of("nobody@example.com")).await.is(404);
        admin().await.send(of("nobody")).await.is(404);
    });
}

#[test]
fn at_most_one_address_is_the_default_and_it_comes_first() {
    run(async {
        let ada = User::new().await;
        ada.send(post("/addresses", &depot("First"))).await.is(201);
        let mut second = depot("Second");
        ada.send(post("/addresses", &second)).await.is(201);
        second["name"] = json!("Third");
        second["isDefault"] = json!(true);
        let calls = (0..6).map(|_| ada.send(post("/addresses", &second)));
        for answer in all(calls).await {
            answer.is(201);
        }
        let kept = book(&ada).await;
        let defaults: Vec<bool> = kept.iter().map(|one| one["isDefault"] == true).collect();
        assert_eq!(defaults, [[true].as_slice(), &[false; 7]].concat());
    });
}

#[test]
fn an_address_that_is_sent_twice_is_kept_once() {
    run(async {
        let (ada, key) = (User::new().await, fresh_key());
        let calls = (0..4).map(|_| ada.send(post("/addresses", &depot("Ada"))).key(&key));
        let ids: Vec<Value> = all(calls).await.into_iter().map(|answer| answer.is(201).json()["_id"].clone()).collect();
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
        assert_eq!(book(&ada).await.len(), 1);
    });
}

#[test]
fn an_address_is_judged_by_its_country_field_by_field() {
    run(async {
        let ada = User::new().await;
        let refused = ada.send(post("/addresses", &json!({}))).await.refused(422);
        let fields: Vec<&str> =
            refused["errors"].as_array().unwrap().iter().map(|error| error["field"].as_str().unwrap()).collect();
        assert_eq!(fields, ["name", "line1", "city", "country"]);
        for (change, field, message) in [
            (
                json!({"postcode": "SW1A 1AA"}),
                "postcode",
                "ZIP code is not valid in United States, where one is written as 12345",
            ),
            (json!({"postcode": null}), "postcode", "ZIP code is required in United States"),
            (json!({"region": "Bavaria"}), "region", "State is not one of United States"),
            (json!({"region": " "}), "region", "State is required in United States"),
            (json!({"line1": "a\nb"}), "line1", "Street and number contains characters that can't be displayed"),
            (json!({"company": "a".repeat(101)}), "company", "Company must be at most 100 characters"),
            (
                json!({"country": "Texas"}),
                "country",
                "Country must be the code of a country in two capital letters, as US",
            ),
        ] {
            let mut sent = depot("Ada");
            sent.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            let refused = ada.send(post("/addresses", &sent)).await.refused(422);
            assert_eq!(refused["errors"][0], json!({"field": field, "message": message}), "{change}");
        }
    });
}

#[test]
fn an_address_book_has_an_end() {
    run(async {
        let ada = User::new().await;
        for _ in 0..20 {
            for answer in all((0..10).map(|_| ada.send(post("/addresses", &depot("Ada"))))).await {
                answer.is(201);
            }
        }
        let refused = ada.send(post("/addresses", &depot("Ada"))).await.refused(409);
        assert_eq!((&refused["type"], &refused["most"]), (&json!("/problems/address-book-full"), &json!(200)));
    });
}

#[test]
fn countries_say_how_their_addresses_are_written() {
    run(async {
        let answer = get("/countries").await.is(200);
        assert!(answer.header("cache-control").contains("max-age=86400"));
        get("/countries").header("if-none-match", answer.header("etag")).await.is(304);
        let countries = answer.json();
        let countries = countries.as_array().unwrap();
        assert_eq!(countries.len(), 249);
        let of = |code: &str| countries.iter().find(|country| country["code"] == code).unwrap();
        assert_eq!(
            *of("DE"),
            json!({
                "code": "DE", "name": "Germany", "postcode": "required", "region": "none", "regionName": "Province",
                "postcodeName": "Postcode",
                "order": ["company", "line1", "line2", "postcode", "city", "country"],
            })
        );
        assert_eq!((&of("US")["region"], &of("US")["regions"][0]["code"]), (&json!("required"), &json!("AL")));
        assert_eq!(of("HK")["postcode"], "none");
    });
}
