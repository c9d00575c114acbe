//! Parts by their numbers, words, brands and facts, over HTTP.

use serde_json::{Value, json};

use crate::fixtures::{User, add, admin, draft, unique};
use crate::server::{Call, all, call, delete, get, run};

fn post(path: &str) -> Call {
    call("POST", path)
}

fn put(path: impl Into<String>) -> Call {
    call("PUT", path)
}

trait By {
    fn by(self, user: &User) -> Self;
}

impl By for Call {
    fn by(self, user: &User) -> Self {
        user.send(self)
    }
}

fn patch(path: impl Into<String>) -> Call {
    call("PATCH", path)
}

/// A draft of a part with a brand and number of its own; its name holds the word.
fn part(word: &str, brand: &str, number: &str) -> Value {
    let mut sent = draft(500, 129.5);
    sent["name"] = json!(format!("{word} brake disc"));
    sent["brand"] = json!(brand);
    sent["partNumber"] = json!(number);
    sent
}

fn word() -> String {
    format!("find{}x", unique())
}

async fn ids(query: &str) -> Vec<String> {
    let listed = get(format!("/products?{query}")).await.is(200).json();
    listed.as_array().unwrap().iter().map(|product| product["_id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_part_reads_back_with_its_facts_and_is_found_by_them() {
    run(async {
        let word = word();
        let mut sent = part(&word, &format!("Brand {word}"), &format!("{word}-1"));
        sent["partType"] = json!("brake disc");
        sent["universal"] = json!(true);
        sent["packSize"] = json!(2);
        for (field, value) in [("weight", 9000), ("length", 312), ("width", 312), ("height", 80)] {
            sent[field] = json!(value);
        }
        let size = format!("Size {word}");
        sent["attributes"] = json!([
            { "name": size, "value": 31.2, "unit": "cm" },
            { "name": "Coating", "value": "zinc" },
            { "name": "Vented", "value": true },
        ]);
        let id = add(&sent).await;
        let read = get(format!("/products/{id}")).await.is(200).json();
        assert_eq!(read["partType"], "Brake disc");
        for field in ["brand", "universal", "packSize", "weight", "length", "width", "height"] {
            assert_eq!(read[field], sent[field], "{field}");
        }
        assert_eq!(read["attributes"][0], json!({ "name": size, "value": 312, "unit": "mm" }));
        assert_eq!(read["attributes"][1], json!({ "name": "Coating", "value": "zinc" }));
        assert_eq!(read["attributes"][2], json!({ "name": "Vented", "value": true }));
        let in_address = size.replace(' ', "%20");
        for query in [
            format!("brand=brand%20{word}"),
            format!("brand=Nobody&brand=Brand%20{word}&partType=Brake%20disc"),
            format!("q={word}&partType=1&minPrice=129.5&maxPrice=129.50"),
            format!("attr.{in_address}=312"),
            format!("attr.{in_address}=300..320"),
            format!("attr.{in_address}=..320&attr.vented=yes&q={word}"),
        ] {
            assert_eq!(ids(&query).await, [id.as_str()], "{query}");
        }
        for query in
            [format!("attr.{in_address}=313.."), format!("q={word}&maxPrice=129"), format!("q={word}&brand=Nobody")]
        {
            assert_eq!(ids(&query).await, [] as [&str; 0], "{query}");
        }
        let edited = json!({ "brand": null, "weight": 8000, "attributes": [], "seen": { "weight": 9000 } });
        patch(format!("/products/{id}")).by(admin().await).json(&edited).await.is(200);
        let read = get(format!("/products/{id}")).await.is(200).json();
        assert_eq!((&read["brand"], &read["weight"], &read["attributes"]), (&Value::Null, &json!(8000), &Value::Null));
        let stale = json!({ "weight": 7000, "seen": { "weight": 9000 } });
        patch(format!("/products/{id}")).by(admin().await).json(&stale).await.is(409);
    });
}

#[test]
fn bad_facts_are_refused_each_at_its_field() {
    run(async {
        let admin = admin().await;
        for (field, value) in [
            ("brand", json!("x".repeat(61))),
            ("partType", json!("no such type")),
            ("packSize", json!(0)),
            ("weight", json!(-1)),
            ("height", json!(100_000_001)),
            ("attributes", json!([{ "name": "", "value": 1 }])),
            ("attributes", json!([{ "name": "Size", "value": 1.2345 }])),
            ("attributes", json!([{ "name": "Size", "value": 1 }, { "name": "SIZE", "value": 2 }])),
        ] {
            let mut sent = draft(500, 10.0);
            sent[field] = value.clone();
            let refused = post("/products").by(admin).json(&sent).await.is(422).json();
            assert_eq!(refused["errors"][0]["field"], field, "{value}");
        }
        for query in [
            "minPrice=x",
            "minPrice=-1",
            "minPrice=5&maxPrice=4",
            "attr.size=5..4",
            "attr.size=..",
            "attr.size=a..b",
            "attr.=1",
            "attr.size=1&attr.size=1..2",
        ] {
            get(format!("/products?{query}")).await.is(422);
            get(format!("/products/facets?{query}")).await.is(422);
        }
        let long = "x".repeat(10_000);
        for q in [
            String::new(),
            "a".to_owned(),
            "%25%27%3B--".to_owned(),
            "%5B(.*%2B%3F".to_owned(),
            "%D0%92%D0%A1".to_owned(),
        ] {
            for parameter in ["q", "number"] {
                get(format!("/products?{parameter}={q}")).await.is(200);
                get(format!("/products/facets?{parameter}={q}")).await.is(200);
            }
        }
        get(format!("/products?q={long}")).await.is(422);
    });
}

#[test]
fn numbers_of_all_kinds_lead_to_the_part() {
    run(async {
        let (admin, word) = (admin().await, word());
        let id = add(&part(&word, "Driveline", &format!("{word}-77"))).await;
        let numbers = json!({ "numbers": [
            { "kind": "gtin", "number": "4006381333931" },
            { "kind": "oe", "number": format!("1K0-{word}"), "brand": "VW", "note": "front axle" },
            { "kind": "supplier", "number": format!("S-{word}") },
        ] });
        put(format!("/products/{id}/numbers")).by(admin).json(&numbers).await.is(200);
        let shown = get(format!("/products/{id}/numbers")).await.is(200).json();
        let kinds: Vec<_> = shown.as_array().unwrap().iter().map(|number| number["kind"].as_str().unwrap()).collect();
        // All of them, or whoever edits the list and puts it back would lose some.
        assert_eq!(kinds, ["own", "gtin", "oe", "supplier"]);
        assert_eq!((&shown[2]["brand"], &shown[2]["note"]), (&json!("VW"), &json!("front axle")));
        let found = get(format!("/numbers/1k0{word}")).await.is(200).json();
        assert_eq!((&found["tier"], &found["products"][0]["_id"]), (&json!(4), &json!(id)));
        assert_eq!(found["products"][0]["via"], format!("same as VW 1K0-{word}"));
        let listed = get(format!("/products?number=1K0.{word}")).await.is(200).json();
        assert_eq!(listed[0]["via"], format!("same as VW 1K0-{word}"));
        assert_eq!(get("/numbers/zzzzzz99999999").await.is(200).json(), json!({ "tier": null, "products": [] }));
        get("/numbers/---").await.is(422);
        get(format!("/numbers/{}", "A".repeat(49))).await.is(422);
        for (numbers, field) in [
            (json!([{ "kind": "gtin", "number": "4006381333932" }]), "numbers[0].number"),
            (json!([{ "kind": "other", "number": "1" }]), "numbers[0].kind"),
            (json!([{ "kind": "oe", "number": "--" }]), "numbers[0].number"),
            (json!([{ "kind": "oe", "number": "A-1" }, { "kind": "oe", "number": "a1" }]), "numbers[1].number"),
            (json!([{ "kind": "own", "number": "1" }, { "kind": "own", "number": "2" }]), "numbers"),
            (Value::Null, "numbers"),
        ] {
            let sent = json!({ "numbers": numbers });
            let refused = put(format!("/products/{id}/numbers")).by(admin).json(&sent).await.is(422).json();
            assert_eq!(refused["errors"][0]["field"], field, "{sent}");
        }
    });
}

#[test]
fn a_replaced_part_is_gone_and_names_the_other() {
    run(async {
        let (admin, word) = (admin().await, word());
        let old = add(&part(&word, "Driveline", &format!("{word}-1"))).await;
        let new = add(&part(&word, "Driveline", &format!("{word}-2"))).await;
        let numbers = json!({ "numbers": [{ "kind": "superseded", "number": format!("{word}-1") }] });
        put(format!("/products/{new}/numbers")).by(admin).json(&numbers).await.is(200);
        delete(format!("/products/{old}")).by(admin).await.is(200);
        let gone = get(format!("/products/{old}")).await.is(410).json();
        assert_eq!(gone["replacedBy"], new);
        let found = get(format!("/numbers/{word}1")).await.is(200).json();
        assert_eq!(found["products"][0]["_id"], new);
        assert!(found["products"][0]["via"].as_str().unwrap().starts_with(&format!("replaces {word}-1 since ")));
        let again =
            post("/products").by(admin).json(&part(&word, "Driveline", &format!("{word}-2"))).await.is(409).json();
        assert!(again["message"].as_str().unwrap().contains("Driveline already has"), "{again}");
    });
}

#[test]
fn facets_count_what_lists_hold_and_their_own_choice_does_not_narrow_them() {
    run(async {
        let word = word();
        for nth in 0..6 {
            let mut sent = part(&word, &format!("{word} {}", ["A", "B"][nth % 2]), &format!("{word}-{nth}"));
            sent["price"] = json!(10 * (nth + 1));
            sent["attributes"] = json!([{ "name": format!("Width {word}"), "value": nth % 3 }]);
            add(&sent).await;
        }
        let facets = get(format!("/products/facets?q={word}&brand={word}%20A")).await.is(200).json();
        assert_eq!((&facets["total"], &facets["exact"]), (&json!(3), &json!(true)));
        let brands = facets["facets"]["brand"].as_array().unwrap();
        assert_eq!(brands.len(), 2);
        assert!(brands.iter().all(|brand| brand["count"] == 3), "{brands:?}");
        assert_eq!(facets["facets"]["category"][0]["count"], 3);
        assert_eq!(facets["facets"]["inStock"][0]["count"], 3);
        let width = &facets["facets"]["attributes"][0];
        assert_eq!(
            width["values"].as_array().unwrap().iter().map(|value| value["count"].as_u64().unwrap()).sum::<u64>(),
            3
        );
        let prices = facets["facets"]["price"].as_array().unwrap();
        assert_eq!(prices.iter().map(|band| band["count"].as_u64().unwrap()).sum::<u64>(), 3);
    });
}

#[test]
fn brands_part_types_and_synonyms_are_an_admins_to_change() {
    run(async {
        let (admin, word) = (admin().await, word());
        for (path, sent, other, field) in [
            ("/brands", json!({ "name": format!("One {word}") }), json!({ "name": format!("Two {word}") }), "name"),
            (
                "/part-types",
                json!({ "name": format!("One {word}"), "category": "BRAKES" }),
                json!({ "name": format!("Two {word}"), "category": "TIRES" }),
                "name",
            ),
            (
                "/synonyms",
                json!({ "word": format!("one{word}"), "means": "brake  disc" }),
                json!({ "word": format!("two{word}"), "means": "pad" }),
                "word",
            ),
        ] {
            post(path).json(&sent).await.is(401);
            post(path).by(&User::new().await).json(&sent).await.is(403);
            let refused = post(path).by(admin).json(&json!({})).await.is(422).json();
            assert_eq!(refused["errors"][0]["field"], field);
            let id = post(path).by(admin).json(&sent).await.is(201).json()["insertedId"].as_str().unwrap().to_owned();
            put(format!("{path}/{id}")).by(admin).json(&other).await.is(200);
            let listed = get(path).by(admin).await.is(200).json();
            let mine = listed.as_array().unwrap().iter().find(|one| one["id"] == id.parse::<i32>().unwrap()).unwrap();
            assert_eq!(mine[field], other[field]);
            delete(format!("{path}/{id}")).by(admin).await.is(200);
            delete(format!("{path}/{id}")).by(admin).await.is(404);
            put(format!("{path}/{id}")).by(admin).json(&other).await.is(404);
            delete(format!("{path}/x")).by(admin).await.is(404);
        }
        get("/synonyms").await.is(401);
        let brand = format!("Used {word}");
        add(&part(&word, &brand, &format!("{word}-1"))).await;
        let brands = get("/brands").await.is(200).json();
        let id = brands.as_array().unwrap().iter().find(|one| one["name"] == brand).unwrap()["id"].to_string();
        let refused = delete(format!("/brands/{id}")).by(admin).await.is(409).json();
        assert_eq!(refused["uses"], 1);
        put(format!("/brands/{id}")).by(admin).json(&json!({ "name": format!("Again {word}") })).await.is(200);
        let listed = get(format!("/products?q={word}")).await.is(200).json();
        assert_eq!(listed[0]["brand"], format!("Again {word}"));
        let sent = json!({ "name": format!("Together {word}") });
        let added = all((0..8).map(|_| post("/brands").by(admin).json(&sent))).await;
        let added: Vec<Value> = added.into_iter().map(|added| added.is(201).json()).collect();
        assert!(added.iter().all(|one| *one == added[0]), "one brand, however many add it: {added:?}");
    });
}
