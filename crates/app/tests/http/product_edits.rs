//! Editing products, archiving them and bringing them back.

use serde_json::{Value, json};

use crate::fixtures::{User, add, admin, draft, order, product, purchase, stock, unique};
use crate::server::{all, call, delete, get, post, put, run};

async fn listed(query: &str) -> Vec<Value> {
    get(format!("/products?{query}")).await.is(200).json().as_array().unwrap().clone()
}

#[test]
fn an_edit_changes_what_it_names_everywhere_at_once() {
    run(async {
        let boss = admin().await;
        let word = format!("edited{}x", unique());
        let sent = draft(700, 129.5);
        let id = add(&sent).await;
        let path = format!("/products/{id}");
        let before = get(&*path).await.is(200);
        let edit = json!({
            "name": format!("{word} part"), "description": "Another text.", "category": "OILS AND FLUIDS",
            "price": 99.25, "minOrder": 80, "img": "/images/other.webp", "partNumber": format!("{word}-9"),
        });
        let done = boss.send(call("PATCH", &*path).json(&edit)).await.is(200).json();
        assert_eq!(done, json!({"modifiedCount": 1}));

        let after = get(&*path).header("if-none-match", before.header("etag")).await.is(200).json();
        let mut expected = before.json();
        expected.as_object_mut().unwrap().extend(edit.as_object().unwrap().clone());
        expected["lowStockBelow"] = json!(160);
        expected["tiers"] = json!([{"from": 80, "price": 99.25}]);
        assert_eq!(after, expected);
        assert_eq!(listed(&format!("q={word}-9")).await, std::slice::from_ref(&after));
        // The list that comes from memory: dearest first, so that the price has moved it as well.
        assert!(listed("category=OILS%20AND%20FLUIDS&sort=-price&limit=1000").await.contains(&after));
        assert!(!listed("category=BRAKES&limit=1000").await.iter().any(|product| product["_id"] == *id));

        let again = boss.send(call("PATCH", &*path).json(&edit)).await.is(200).json();
        assert_eq!(again, json!({"modifiedCount": 0}));
        assert_eq!(boss.send(call("PATCH", &*path).json(&json!({}))).await.is(200).json(), json!({"modifiedCount": 0}));
        for none in [json!(null), json!(""), json!("  ")] {
            boss.send(call("PATCH", &*path).json(&json!({"partNumber": "X"}))).await.is(200);
            boss.send(call("PATCH", &*path).json(&json!({"partNumber": none}))).await.is(200);
            assert_eq!(get(&*path).await.is(200).json()["partNumber"], json!(null));
        }
    });
}

#[test]
fn orders_keep_their_snapshot_of_an_edited_product_and_its_stock_stays() {
    run(async {
        let boss = admin().await;
        let customer = User::new().await;
        let sent = draft(500, 3.5);
        let id = add(&sent).await;
        let placed = order(&customer, &id, 60).await;
        let path = format!("/products/{id}");
        let edit = json!({"name": "Another part", "price": 7, "minOrder": 100, "availableQty": 9_000});
        boss.send(call("PATCH", &*path).json(&edit)).await.is(200);
        assert_eq!(stock(&id).await, 440);
        let kept = customer.send(get(format!("/orders/{placed}"))).await.is(200).json();
        assert_eq!((&kept["productName"], &kept["price"]), (&sent["name"], &json!(210)));
        // The new minimum counts from now on.
        customer.send(post("/orders", &purchase(&id, 60))).await.is(422);
    });
}

#[test]
fn a_stale_edit_gets_the_product_as_it_is_and_changes_nothing() {
    run(async {
        let boss = admin().await;
        let sent = draft(500, 3.5);
        let id = add(&sent).await;
        let path = format!("/products/{id}");
        boss.send(call("PATCH", &*path).json(&json!({"name": "Theirs", "minOrder": 70}))).await.is(200);
        let stale =
            json!({"name": "Mine", "price": 5, "seen": {"name": sent["name"], "price": 3.5, "partNumber": null}});
        let refused = boss.send(call("PATCH", &*path).json(&stale)).await.refused(409);
        let now = get(&*path).await.is(200).json();
        assert_eq!((&refused["type"], &refused["product"]), (&json!("/problems/product-changed"), &now));
        assert_eq!((&now["name"], &now["price"]), (&json!("Theirs"), &json!(3.5)));
        // What somebody else changed beside it is no conflict.
        let other = json!({"price": 5, "seen": {"name": sent["name"], "price": 3.5}});
        boss.send(call("PATCH", &*path).json(&other)).await.is(200);
        // The stock may have changed as well.
        boss.send(put(&*path, &json!({"updatedQuantity": 10, "updatedPrice": 5}))).await.is(200);
        let mine = json!({"name": "Mine", "seen": {"name": "Theirs"}});
        assert_eq!(boss.send(call("PATCH", &*path).json(&mine)).await.is(200).json(), json!({"modifiedCount": 1}));
    });
}

#[test]
fn an_invalid_edit_is_reported_field_by_field() {
    run(async {
        let boss = admin().await;
        let path = format!("/products/{}", product(100, 1.0).await);
        for (field, wrong) in [
            ("name", json!(" ")),
            ("name", json!("n".repeat(201))),
            ("description", json!("")),
            ("price", json!(0)),
            ("price", json!(1.999)),
            ("price", json!("1")),
            ("category", json!("BOATS")),
            ("minOrder", json!(-1)),
            ("minOrder", json!(50.5)),
            ("img", json!("javascript:alert(1)")),
            ("partNumber", json!("n".repeat(61))),
        ] {
            assert_ne!(boss.send(call("PATCH", &*path).json(&json!({field: wrong}))).await.field(field), "", "{wrong}");
            let seen = json!({"seen": {field: wrong}});
            boss.send(call("PATCH", &*path).json(&seen)).await.field(&format!("seen.{field}"));
        }
        boss.send(call("PATCH", "/products/nothing").json(&json!({}))).await.is(404);
        let never = "/products/00000000-0000-7000-8000-000000000000";
        boss.send(call("PATCH", never).json(&json!({"name": "Mine"}))).await.is(404);
    });
}

#[test]
fn an_archived_product_is_listed_for_admins_and_comes_back_as_it_was() {
    run(async {
        let boss = admin().await;
        let word = format!("back{}x", unique());
        let mut sent = draft(500, 3.5);
        sent["name"] = json!(format!("{word} part"));
        let id = add(&sent).await;
        let (path, restore) = (format!("/products/{id}"), format!("/products/{id}/restore"));
        let before = get(&*path).await.is(200).json();
        assert_eq!(boss.send(call("POST", &*restore)).await.is(200).json(), json!({"modifiedCount": 0}));
        boss.send(delete(&*path)).await.is(200);

        let archived = boss.send(get(format!("/archivedProducts?q={word}&limit=5"))).await.is(200);
        assert_eq!((archived.header("x-total-count"), archived.json()), ("1", json!([before])));
        assert!(archived.header("cache-control").contains("no-store"), "{archived}");
        let whole = boss.send(get("/archivedProducts?category=BRAKES")).await.is(200).json();
        assert!(whole.as_array().unwrap().contains(&before));
        boss.send(get("/archivedProducts?sort=random")).await.is(422);
        boss.send(call("PATCH", &*path).json(&json!({"name": "Mine"}))).await.is(404);
        // No parameter shows archived products to visitors.
        for query in ["archived=true&", "view=archived&"] {
            assert_eq!(listed(&format!("{query}q={word}")).await, [] as [Value; 0]);
        }

        let counts = all((0..6).map(|_| boss.send(call("POST", &*restore)))).await;
        let counts: u64 =
            counts.into_iter().map(|answer| answer.is(200).json()["modifiedCount"].as_u64().unwrap()).sum();
        assert_eq!(counts, 1);
        assert_eq!(get(&*path).await.is(200).json(), before);
        assert!(listed("category=BRAKES&limit=1000").await.contains(&before));
        assert_eq!(boss.send(get(format!("/archivedProducts?q={word}"))).await.is(200).json(), json!([]));
        let customer = User::new().await;
        order(&customer, &id, 60).await;
        for never in ["00000000-0000-7000-8000-000000000000", "nothing"] {
            boss.send(call("POST", format!("/products/{never}/restore"))).await.is(404);
        }
    });
}
