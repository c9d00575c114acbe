//! One's own cart.

use serde_json::{Value, json};

use crate::checkouts;
use crate::fixtures::{User, add, admin, draft, fresh_key, product, unique};
use crate::server::{Answer, Call, all, call, delete, get, post, put, run};

const NOBODY: &str = "0199f3a0-0000-7000-8000-000000000001";

/// Lines in place of the version that was seen.
fn save(user: &User, seen: u64, lines: &Value) -> Call {
    user.send(put("/cart", &json!({"lines": lines}))).header("if-match", format!("\"{seen}\""))
}

async fn cart(user: &User) -> Value {
    user.send(get("/cart")).await.is(200).json()
}

fn quantities(cart: &Value) -> Vec<(String, u64)> {
    let lines = cart["lines"].as_array().unwrap();
    lines.iter().map(|line| (text(&line["productId"]), line["quantity"].as_u64().unwrap())).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn tag(answer: &Answer) -> String {
    answer.header("etag").to_owned()
}

#[test]
fn a_cart_reads_back_with_what_its_lines_cost_now() {
    run(async {
        let (ada, ben, part) = (User::new().await, User::new().await, product(500, 2.5).await);
        let empty = ada.send(get("/cart")).await.is(200);
        assert_eq!(tag(&empty), "\"0\"");
        assert_eq!(empty.json(), json!({"version": 0, "lines": []}));
        let lines = json!([{"productId": part, "quantity": 60, "price": 150}]);
        let saved = save(&ada, 0, &lines).await.is(200);
        assert_eq!((tag(&saved).as_str(), saved.header("cache-control")), ("\"1\"", "no-store"));
        let saved = saved.json();
        assert_eq!(saved["version"], 1);
        let line = &saved["lines"][0];
        for (field, value) in [
            ("productId", json!(part)),
            ("quantity", json!(60)),
            ("price", json!(150)),
            ("unit", json!(2.5)),
            ("total", json!(150)),
            ("available", json!(500)),
            ("minOrder", json!(50)),
            ("status", json!("ok")),
            ("message", json!("")),
        ] {
            assert_eq!(line[field], value, "{field} of {line}");
        }
        assert!(text(&line["name"]).starts_with("Test part") && text(&line["partNumber"]).starts_with("TP-"));
        assert!(text(&line["img"]).starts_with("https://"));
        assert_eq!(cart(&ada).await, saved);
        assert_eq!(cart(&ben).await, json!({"version": 0, "lines": []}), "another's is another's");
        let stock = get(format!("/products/{part}")).await.is(200).json();
        assert_eq!(stock["availableQty"], 500, "a cart holds no stock");
    });
}

/// In packs of 12, 61 are 72 in full packs, and from 70 on a unit costs less.
#[test]
fn a_line_that_is_not_of_full_packs_is_ordered_at_the_price_that_the_cart_shows() {
    run(async {
        let ada = User::new().await;
        let mut sent = draft(500, 3.0);
        sent["packSize"] = json!(12);
        let part = add(&sent).await;
        let tiers = json!({"tiers": [{"from": 70, "price": 1.5}]});
        admin().await.send(put(format!("/products/{part}/tiers"), &tiers)).await.is(200);
        save(&ada, 0, &json!([{"productId": part, "quantity": 61}])).await.is(200);
        let shown = cart(&ada).await["lines"][0].clone();
        assert_eq!((&shown["status"], &shown["quantity"]), (&json!("ok"), &json!(61)), "{shown}");
        let mut order = checkouts::body(&[(&part, 61)]);
        order["lines"][0]["price"] = shown["total"].clone();
        let placed = ada.send(post("/checkouts", &order)).await.is(201).json();
        assert_eq!(shown["total"].as_f64(), Some(183.0), "{shown} {placed}");
    });
}

#[test]
fn a_cart_is_replaced_only_by_who_saw_its_version() {
    run(async {
        let (ada, part) = (User::new().await, product(500, 2.5).await);
        let lines = json!([{"productId": part, "quantity": 60}]);
        let missing = ada.send(put("/cart", &json!({"lines": lines}))).await.refused(428);
        assert_eq!(missing["type"], "/problems/version-required");
        for malformed in ["0", "\"0", "\"0\" \"1\"", ""] {
            let sent = ada.send(put("/cart", &json!({"lines": lines}))).header("if-match", malformed);
            sent.await.refused(400);
        }
        save(&ada, 0, &lines).await.is(200);
        for stale in ["\"0\"", "\"2\"", "W/\"1\"", "\"x\"", "\"01\""] {
            let sent = ada.send(put("/cart", &json!({"lines": []}))).header("if-match", stale);
            let refused = sent.await.refused(412);
            assert_eq!(refused["cart"], cart(&ada).await, "{stale}");
            assert_eq!(
                (&refused["version"], &refused["lines"]),
                (&refused["cart"]["version"], &refused["cart"]["lines"])
            );
        }
        let one_of = ada.send(put("/cart", &json!({"lines": []}))).header("if-match", "\"7\", \"1\"");
        assert_eq!(one_of.await.is(200).json()["version"], 2);
        let any = ada.send(put("/cart", &json!({"lines": lines}))).header("if-match", "*");
        assert_eq!(any.await.is(200).json()["version"], 3);
    });
}

#[test]
fn of_two_that_save_at_once_one_is_shown_the_others_cart() {
    run(async {
        let (ada, part) = (User::new().await, product(500, 2.5).await);
        for seen in 0..5 {
            let quantities = [50 + 2 * seen, 51 + 2 * seen];
            let answers =
                all(quantities.map(|quantity| save(&ada, seen, &json!([{"productId": part, "quantity": quantity}]))))
                    .await;
            let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
            statuses.sort_unstable();
            assert_eq!(statuses, [200, 412]);
            let won = answers.iter().find(|answer| answer.status == 200).unwrap().json();
            let lost = answers.iter().find(|answer| answer.status == 412).unwrap().json();
            assert_eq!(lost["cart"], won);
            assert_eq!(won["version"], seen + 1);
        }
    });
}

#[test]
fn one_product_twice_is_summed() {
    run(async {
        let (ada, one, two) = (User::new().await, product(500, 2.5).await, product(500, 1.0).await);
        let lines = json!([
            {"productId": one, "quantity": 30, "price": 75},
            {"productId": two, "quantity": 50, "price": 50},
            {"productId": one, "quantity": 40, "price": 100},
        ]);
        let saved = save(&ada, 0, &lines).await.is(200).json();
        assert_eq!(quantities(&saved), [(one.clone(), 70), (two, 50)]);
        assert_eq!((&saved["lines"][0]["price"], &saved["lines"][0]["status"]), (&json!(175), &json!("ok")));
        let most = json!([{"productId": one, "quantity": 1_000_000_000}, {"productId": one, "quantity": 1}]);
        let refused = save(&ada, 1, &most).await.refused(422);
        assert_eq!(refused["errors"][0]["field"], "lines[1].quantity");
    });
}

#[test]
fn lines_that_cannot_be_ordered_are_kept_and_say_why() {
    run(async {
        let (ada, admin, nth) = (User::new().await, admin().await, unique());
        let (few, moved, gone) = (product(55, 2.5).await, product(500, 2.5).await, product(500, 2.5).await);
        let mut sent = draft(500, 3.0);
        sent["brand"] = json!("Driveline");
        sent["partNumber"] = json!(format!("old{nth}"));
        let old = add(&sent).await;
        sent["partNumber"] = json!(format!("new{nth}"));
        let new = add(&sent).await;
        let numbers = json!({"numbers": [{"kind": "superseded", "number": format!("old{nth}")}]});
        admin.send(put(format!("/products/{new}/numbers"), &numbers)).await.is(200);
        for product in [&old, &gone] {
            admin.send(delete(format!("/products/{product}"))).await.is(200);
        }
        let empty = product(49, 2.5).await;
        let lines: Vec<Value> = [(&few, 60), (&moved, 60), (&gone, 60), (&old, 60), (&empty, 60), (&moved, 0)]
            .into_iter()
            .filter(|(_, quantity)| *quantity > 0)
            .map(|(product, quantity)| json!({"productId": product, "quantity": quantity, "price": 149}))
            .chain([
                json!({"productId": NOBODY, "quantity": 60}),
                json!({"productId": product(500, 1.0).await, "quantity": 7}),
            ])
            .collect();
        let saved = save(&ada, 0, &json!(lines)).await.is(200).json();
        let shown: Vec<(&str, u64, String)> = saved["lines"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| (line["status"].as_str().unwrap(), line["quantity"].as_u64().unwrap(), text(&line["message"])))
            .collect();
        let gone_number = text(&saved["lines"][2]["partNumber"]);
        assert_eq!(
            shown,
            [
                ("adjusted", 60, "Only 55 are in stock.".to_owned()),
                ("moved", 60, "The price was $149.00 and is now $150.00.".to_owned()),
                ("unknown", 60, format!("{gone_number} is no longer sold.")),
                ("replaced", 60, format!("old{nth} was replaced by new{nth}.")),
                ("short", 60, "Only 49 are in stock, fewer than the minimum order of 50.".to_owned()),
                ("unknown", 60, "We couldn't find this part.".to_owned()),
                ("adjusted", 7, "The minimum order is 50.".to_owned()),
            ]
        );
        let (gone_line, replaced, unknown) = (&saved["lines"][2], &saved["lines"][3], &saved["lines"][5]);
        assert_eq!(
            (&gone_line["productId"], &gone_line["unit"], &gone_line["total"]),
            (&json!(gone), &Value::Null, &Value::Null)
        );
        assert_eq!(replaced["productId"], new);
        assert_eq!(
            replaced["replacedBy"],
            json!({"productId": new, "partNumber": format!("new{nth}"), "name": sent["name"]})
        );
        assert_eq!((&unknown["productId"], &unknown["name"]), (&json!(NOBODY), &json!("Unknown part")));
    });
}

#[test]
fn each_wrong_line_has_its_own_sentence() {
    run(async {
        let (ada, part) = (User::new().await, product(500, 2.5).await);
        let line = |quantity: Value| json!({"productId": part, "quantity": quantity});
        let lines = json!([
            line(json!(60)),
            line(json!(0)),
            line(json!(-5)),
            line(json!(1.5)),
            line(json!(1_000_000_001)),
            {"productId": part},
            {"quantity": 60},
            {"productId": "nothing", "quantity": 60},
            {"productId": part, "quantity": 60, "price": -1},
            {"productId": part, "quantity": 60, "price": 0.001},
        ]);
        let refused = save(&ada, 0, &lines).await.refused(422);
        let errors: Vec<(&str, &str)> = refused["errors"]
            .as_array()
            .unwrap()
            .iter()
            .map(|error| (error["field"].as_str().unwrap(), error["message"].as_str().unwrap()))
            .collect();
        assert_eq!(
            errors,
            [
                ("lines[1].quantity", "Quantity must be at least 1"),
                ("lines[2].quantity", "Quantity must not be negative"),
                ("lines[3].quantity", "Quantity must be a whole number"),
                ("lines[4].quantity", "Quantity must be 1,000,000,000 or less"),
                ("lines[5].quantity", "Quantity is required"),
                ("lines[6].productId", "Product is required"),
                ("lines[7].productId", "Product must be the id of a product"),
                ("lines[8].price", "Price must not be negative"),
                ("lines[9].price", "Price must be a number of dollars with at most two decimals"),
            ]
        );
        for sent in [json!({}), json!({"lines": null}), json!({"lines": 3}), json!({"lines": ["a"]}), json!([])] {
            ada.send(put("/cart", &sent)).header("if-match", "\"0\"").await.refused(422);
        }
        assert_eq!(cart(&ada).await, json!({"version": 0, "lines": []}));
    });
}

#[test]
fn a_cart_has_a_thousand_lines_and_no_more() {
    run(async {
        let ada = User::new().await;
        let lines = |from: usize, count: usize| -> Vec<Value> {
            (from..from + count)
                .map(|nth| json!({"productId": format!("0199f3a0-0000-7000-8000-{nth:012}"), "quantity": 50, "price": 12.34}))
                .collect()
        };
        let saved = save(&ada, 0, &json!(lines(0, 1_000))).await.is(200).json();
        assert_eq!(saved["lines"].as_array().unwrap().len(), 1_000);
        let refused = save(&ada, 1, &json!(lines(0, 1_001))).await.refused(422);
        assert_eq!(refused["errors"], json!([{"field": "lines", "message": "Lines must be at most 1,000"}]));
        let refused = ada.send(post("/cart/merge", &json!({"lines": lines(1_000, 1)}))).await.refused(422);
        assert_eq!(refused["message"], "Lines must be at most 1,000");
        assert_eq!(cart(&ada).await["version"], 1);
    });
}

#[test]
fn what_a_visitor_chose_is_merged_by_the_larger_quantity_and_once() {
    run(async {
        let ada = User::new().await;
        let (one, two, three) = (product(500, 1.0).await, product(500, 1.0).await, product(500, 1.0).await);
        save(&ada, 0, &json!([{"productId": one, "quantity": 60}, {"productId": two, "quantity": 60}])).await.is(200);
        let sent = json!({"lines": [
            {"productId": two, "quantity": 70, "price": 70}, {"productId": one, "quantity": 50}, {"productId": three, "quantity": 50},
        ]});
        let merged = ada.send(post("/cart/merge", &sent)).await.is(200);
        assert_eq!(tag(&merged), "\"2\"");
        let merged = merged.json();
        assert_eq!(quantities(&merged), [(one.clone(), 60), (two, 70), (three, 50)]);
        assert_eq!(ada.send(post("/cart/merge", &sent)).await.is(200).json(), merged, "nothing changes");
        assert_eq!(ada.send(post("/cart/merge", &json!({"lines": []}))).await.is(200).json(), merged);
        // Browsers that merge at once.
        let answers = all((0..4).map(|nth| {
            ada.send(post("/cart/merge", &json!({"lines": [{"productId": one, "quantity": 100 + nth}]})))
                .key(&fresh_key())
        }))
        .await;
        assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");
        assert_eq!(quantities(&cart(&ada).await)[0], (one, 103));
        ada.send(call("POST", "/cart/merge").json(&json!({"lines": [{}]}))).await.refused(422);
    });
}
