//! Ladders, price lists, and what they make an order cost.

use serde_json::{Value, json};

use crate::fixtures::{User, admin, inserted, product, purchase, unique};
use crate::server::{Answer, call, get, post, put, run};

async fn set_tiers(product: &str, tiers: &Value) -> Answer {
    admin().await.send(put(format!("/products/{product}/tiers"), &json!({"tiers": tiers}))).await
}

/// A price list of an account.
async fn list_of(user: &User, details: &Value) -> String {
    let mut sent = json!({"name": format!("List {}", unique())});
    sent.as_object_mut().unwrap().extend(details.as_object().unwrap().clone());
    let list = inserted(&admin().await.send(post("/price-lists", &sent)).await);
    let accounts = json!({"emails": [user.email]});
    admin().await.send(put(format!("/price-lists/{list}/accounts"), &accounts)).await.is(200);
    list
}

async fn quote(user: &User, product: &str, quantity: u32) -> Value {
    let sent = json!({"items": [{"productId": product, "quantity": quantity}]});
    user.send(post("/prices", &sent)).await.is(200).json()["items"][0].clone()
}

async fn unit(user: &User, product: &str, quantity: u32) -> f64 {
    quote(user, product, quantity).await["unit"].as_f64().unwrap()
}

/// What an order costs that names no price.
async fn charged(user: &User, product: &str, quantity: u32) -> f64 {
    let id = inserted(&user.send(post("/orders", &purchase(product, quantity))).await);
    user.send(get(format!("/orders/{id}"))).await.is(200).json()["price"].as_f64().unwrap()
}

#[test]
fn a_product_shows_its_tiers_and_an_order_is_charged_by_them() {
    run(async {
        let (ada, part) = (User::new().await, product(10_000, 13.0).await);
        let path = format!("/products/{part}");
        assert_eq!(get(&path).await.json()["tiers"], json!([{"from": 50, "price": 13}]));
        let tiers = json!([{"from": 1000, "price": 9.95}, {"from": 50, "price": 12.4}, {"from": 200, "price": 11.1}]);
        let sorted = json!([{"from": 50, "price": 12.4}, {"from": 200, "price": 11.1}, {"from": 1000, "price": 9.95}]);
        assert_eq!(set_tiers(&part, &tiers).await.is(200).json()["tiers"], sorted);
        let shown = get(&path).await.json();
        assert_eq!((&shown["tiers"], &shown["price"]), (&sorted, &json!(13)));
        let listed = get("/products?sort=newest&limit=100").await.json();
        let listed = listed.as_array().unwrap().iter().find(|product| product["_id"] == json!(part)).unwrap().clone();
        assert_eq!(listed["tiers"], sorted);
        for (quantity, unit_price, total) in
            [(50, 12.4, 620.0), (199, 12.4, 2_467.6), (200, 11.1, 2_220.0), (1000, 9.95, 9_950.0)]
        {
            let quote = quote(&ada, &part, quantity).await;
            assert_eq!((&quote["unit"], &quote["list"]), (&json!(unit_price), &json!(13)));
            assert_eq!(quote["total"].as_f64().unwrap().to_bits(), f64::to_bits(total));
            assert_eq!(charged(&ada, &part, quantity).await.to_bits(), f64::to_bits(total), "{quantity}");
        }
        let mut stale = purchase(&part, 50);
        stale["price"] = json!(650);
        assert_eq!(ada.send(post("/orders", &stale)).await.refused(409)["price"], json!(620));
        set_tiers(&part, &json!([])).await.is(200);
        assert_eq!(get(&path).await.json()["tiers"], json!([{"from": 50, "price": 13}]));
    });
}

#[test]
fn a_customer_pays_the_lowest_price_of_their_lists_and_nobody_else_does() {
    run(async {
        let (ada, bob, part) = (User::new().await, User::new().await, product(10_000, 10.0).await);
        assert_eq!(charged(&ada, &part, 50).await.to_bits(), f64::to_bits(500.0));
        let tenth = list_of(&ada, &json!({"percent": 10})).await;
        let with_prices = list_of(&ada, &json!({})).await;
        let prices = json!({"items": [{"productId": part, "from": 100, "price": 8.5}, {"productId": part, "from": 50, "price": 9.5}]});
        admin().await.send(put(format!("/price-lists/{with_prices}/prices"), &prices)).await.is(200);
        let quoted = quote(&ada, &part, 120).await;
        assert_eq!((&quoted["unit"], &quoted["total"]), (&json!(8.5), &json!(1020)));
        assert_eq!(quoted["tiers"], json!([{"from": 50, "price": 9}, {"from": 100, "price": 8.5}]));
        assert_eq!(charged(&ada, &part, 50).await.to_bits(), f64::to_bits(450.0));
        assert_eq!(charged(&ada, &part, 100).await.to_bits(), f64::to_bits(850.0));
        assert_eq!(charged(&bob, &part, 100).await.to_bits(), f64::to_bits(1_000.0));
        let mut shown = purchase(&part, 50);
        shown["price"] = json!(500);
        assert_eq!(ada.send(post("/orders", &shown)).await.refused(409)["price"], json!(450));

        // Half a cent is rounded up, per unit.
        let odd = product(1_000, 0.15).await;
        assert_eq!(quote(&ada, &odd, 50).await["unit"], json!(0.14));

        admin().await.send(call("DELETE", format!("/price-lists/{tenth}"))).await.is(200);
        assert_eq!(unit(&ada, &part, 50).await.to_bits(), f64::to_bits(9.5));
        let nobody = json!({"emails": []});
        admin().await.send(put(format!("/price-lists/{with_prices}/accounts"), &nobody)).await.is(200);
        assert_eq!(unit(&ada, &part, 50).await.to_bits(), f64::to_bits(10.0));
        assert_eq!(charged(&ada, &part, 50).await.to_bits(), f64::to_bits(500.0));
    });
}

#[test]
fn a_list_counts_between_its_days_only() {
    run(async {
        let (ada, part) = (User::new().await, product(1_000, 10.0).await);
        for (details, expected) in [
            (json!({"percent": 50, "validUntil": "2020-01-01"}), 10.0),
            (json!({"percent": 40, "validFrom": "2999-01-01"}), 10.0),
            (json!({"percent": 10, "validFrom": "2020-01-01", "validUntil": "2999-12-31"}), 9.0),
            (json!({"percent": 20, "validFrom": "2020-01-01T10:00:00Z"}), 8.0),
        ] {
            list_of(&ada, &details).await;
            assert_eq!(unit(&ada, &part, 50).await.to_bits(), f64::to_bits(expected), "{details}");
        }
    });
}

#[test]
fn what_a_product_costs_a_customer_is_in_no_shared_cache() {
    run(async {
        let (ada, bob, part) = (User::new().await, User::new().await, product(1_000, 10.0).await);
        list_of(&ada, &json!({"percent": 10})).await;
        let path = format!("/products/{part}");
        for _ in 0..3 {
            let public = get(&path).await.is(200);
            assert!(public.header("cache-control").contains("public"));
            assert!(public.json().get("yourPrice").is_none(), "{public}");
            assert!(public.header("vary").contains("authorization"), "{public}");
            for (user, price) in [(&ada, json!(9)), (&bob, json!(10))] {
                let own = user.send(get(&path)).await.is(200);
                assert_eq!(own.json()["yourPrice"], price);
                assert_eq!(own.header("cache-control"), "private, no-store");
                assert!(own.header("vary").contains("authorization"), "{own}");
                assert_eq!(own.header("etag"), "");
            }
        }
        let stale = get(&path).token("not a token").await.is(200);
        assert!(stale.json().get("yourPrice").is_none());
        let listed = ada.send(get("/products?limit=1&sort=newest")).await.is(200);
        assert!(listed.json()[0].get("yourPrice").is_none());
    });
}

#[test]
fn an_unknown_product_has_no_price_and_its_place_stays() {
    run(async {
        let (ada, part) = (User::new().await, product(1_000, 10.0).await);
        let sent = json!({"items": [
            {"productId": "nonsense", "quantity": 50}, {"productId": part, "quantity": 1},
            {"productId": "0199f3a0-0000-7000-8000-000000000000", "quantity": 50},
        ]});
        let items = ada.send(post("/prices", &sent)).await.is(200).json()["items"].clone();
        assert_eq!((&items[0], &items[2], &items[1]["total"]), (&Value::Null, &Value::Null, &json!(10)));
        let many = json!({"items": vec![json!({"productId": part, "quantity": 1}); 501]});
        assert_eq!(ada.send(post("/prices", &many)).await.refused(422)["errors"][0]["field"], "items");
        let most = json!({"items": vec![json!({"productId": part, "quantity": 1}); 500]});
        assert_eq!(ada.send(post("/prices", &most)).await.is(200).json()["items"].as_array().unwrap().len(), 500);
        for (quantity, valid) in [
            (json!(0), false),
            (json!(-1), false),
            (json!(1.5), false),
            (json!("50"), false),
            (json!(1_000_000_001), false),
            (json!(1_000_000_000), true),
        ] {
            let sent = json!({"items": [{"productId": part, "quantity": quantity}]});
            let answer = ada.send(post("/prices", &sent)).await;
            assert_eq!(answer.is_success(), valid, "{quantity}: {answer}");
        }
        let dearest = product(1_000, 9_999_999.99).await;
        assert_eq!(quote(&ada, &dearest, 1_000_000_000).await["total"], Value::Null);
    });
}

#[test]
fn tiers_and_lists_that_make_no_sense_are_refused_with_a_sentence_of_their_own() {
    run(async {
        let (part, admin) = (product(1_000, 10.0).await, admin().await);
        for tiers in [
            json!([{"from": 50, "price": 9}, {"from": 50, "price": 8}]),
            json!([{"from": 0, "price": 9}]),
            json!([{"from": 50, "price": 0}]),
            json!([{"from": 50, "price": 9.999}]),
            json!([{"from": 50}]),
            json!(null),
            json!((1..=21).map(|from| json!({"from": from, "price": 9})).collect::<Vec<_>>()),
        ] {
            let refused = set_tiers(&part, &tiers).await.refused(422);
            assert!(!refused["errors"].as_array().unwrap().is_empty(), "{tiers}: {refused}");
        }
        let nowhere = set_tiers("0199f3a0-0000-7000-8000-000000000000", &json!([])).await;
        nowhere.refused(404);
        for (details, field) in [
            (json!({"name": ""}), "name"),
            (json!({"percent": 0}), "percent"),
            (json!({"percent": 100}), "percent"),
            (json!({"percent": 1.234}), "percent"),
            (json!({"priority": 1001}), "priority"),
            (json!({"validFrom": "soon"}), "validFrom"),
            (json!({"validFrom": "2026-02-01", "validUntil": "2026-01-01"}), "validUntil"),
        ] {
            let mut sent = json!({"name": format!("List {}", unique())});
            sent.as_object_mut().unwrap().extend(details.as_object().unwrap().clone());
            let refused = admin.send(post("/price-lists", &sent)).await.refused(422);
            assert_eq!(refused["errors"][0]["field"], field, "{details}");
        }
        let name = format!("List {}", unique());
        let list = inserted(&admin.send(post("/price-lists", &json!({"name": name}))).await);
        admin.send(post("/price-lists", &json!({"name": name.to_uppercase()}))).await.refused(409);
        let prices = |product: &str| json!({"items": [{"productId": product, "from": 50, "price": 1}]});
        let path = format!("/price-lists/{list}/prices");
        for product in ["nonsense", "0199f3a0-0000-7000-8000-000000000000"] {
            admin.send(put(&path, &prices(product))).await.refused(422);
        }
        admin.send(put(&path, &prices(&part))).await.is(200);
        let kept = admin.send(get(&path)).await.is(200).json();
        assert_eq!(kept["items"], json!([{"productId": part, "from": 50, "price": 1}]));
        let unknown = json!({"emails": ["nobody.at.all@example.com"]});
        let refused = admin.send(put(format!("/price-lists/{list}/accounts"), &unknown)).await.refused(422);
        assert!(refused["errors"][0]["message"].as_str().unwrap().contains("nobody.at.all"), "{refused}");
        admin.send(put(format!("/price-lists/{list}"), &json!({"name": name, "percent": 5}))).await.is(200);
        admin.send(put(&path, &prices(&part))).await.refused(409);
        assert_eq!(admin.send(get(&path)).await.is(200).json()["items"], json!([]));
        let lists = admin.send(get("/price-lists")).await.is(200).json();
        let own = lists.as_array().unwrap().iter().find(|one| one["_id"] == json!(list)).unwrap();
        assert_eq!((&own["percent"], &own["prices"], &own["accounts"]), (&json!(5), &json!(0), &json!(0)));
    });
}
