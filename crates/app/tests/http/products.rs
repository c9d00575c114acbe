//! Products: lists, administration and caching.

use serde_json::{Value, json};

use crate::fixtures::{User, add, admin, created_at, draft, fresh_key, order, product, purchase, stock, unique};
use crate::server::{Call, all, call, delete, get, post, put, run};

/// The text, percent-encoded for a query string.
fn in_query(text: &str) -> String {
    text.bytes().fold(String::new(), |written, byte| written + &format!("%{byte:02X}"))
}

fn names(listed: &Value) -> Vec<String> {
    listed.as_array().unwrap().iter().map(|product| product["name"].as_str().unwrap().to_owned()).collect()
}

async fn listed(query: &str) -> Vec<String> {
    names(&get(format!("/products?{query}")).await.is(200).json())
}

/// Adds one product for each price. Returns a word that only finds these products.
async fn family(prices: &[f64]) -> String {
    let word = format!("family{}x", unique());
    for (nth, price) in prices.iter().enumerate() {
        let mut sent = draft(500, *price);
        sent["name"] = json!(format!("{word} {nth}"));
        add(&sent).await;
    }
    word
}

#[test]
fn a_product_reads_back_as_it_was_added() {
    run(async {
        let mut sent = draft(700, 129.5);
        sent["minOrder"] = json!(80);
        sent["category"] = json!("OILS AND FLUIDS");
        let id = add(&sent).await;
        let mut returned = get(format!("/products/{id}")).await.is(200).json();
        assert!(returned["createdAt"].as_str().unwrap().ends_with('Z'));
        assert_eq!(id.as_bytes()[14], b'7', "{id} is no UUIDv7");
        returned.as_object_mut().unwrap().remove("createdAt");
        sent["_id"] = json!(id);
        sent["lowStockBelow"] = json!(160);
        sent["taxClass"] = json!("standard");
        sent["tiers"] = json!([{"from": 80, "price": 129.5}]);
        assert_eq!(returned, sent);
    });
}

#[test]
fn all_eight_categories_are_known_and_no_other() {
    run(async {
        for category in [
            "BRAKES",
            "REPLACEMENT PARTS",
            "SAFETY ACCESSORIES",
            "TIRES",
            "STEERING WHEEL",
            "SERVICE KITS",
            "BATTERIES",
            "OILS AND FLUIDS",
        ] {
            let mut sent = draft(100, 1.0);
            sent["category"] = json!(category);
            let id = add(&sent).await;
            let found = get(format!("/products?category={}&limit=1000", in_query(category))).await.is(200).json();
            let found = found.as_array().unwrap();
            assert!(found.iter().all(|product| product["category"] == category));
            assert!(found.iter().any(|product| product["_id"] == id));
        }
        for category in ["BOATS", "brakes", "", " BRAKES"] {
            let mut sent = draft(100, 1.0);
            sent["category"] = json!(category);
            admin().await.send(post("/products", &sent)).await.field("category");
            get(format!("/products?category={}", in_query(category))).await.is(422);
        }
    });
}

#[test]
fn the_list_without_parameters_has_all_products_newest_first() {
    run(async {
        let (older, newer) = (product(100, 1.0).await, product(100, 1.0).await);
        let answer = get("/products").await.is(200);
        let listed = answer.json();
        let listed = listed.as_array().unwrap();
        assert_eq!(answer.header("link"), "");
        let place = |id: &str| listed.iter().position(|product| product["_id"] == *id).unwrap();
        assert!(place(&newer) < place(&older));
        let times: Vec<jiff::Timestamp> = listed.iter().map(created_at).collect();
        assert!(times.windows(2).all(|pair| pair[0] >= pair[1]), "{times:?}");
    });
}

#[test]
fn the_list_sorts_each_way() {
    run(async {
        let word = family(&[3.0, 1.0, 2.0]).await;
        for (sort, expected) in [
            ("", "2 1 0"),
            ("&sort=newest", "2 1 0"),
            ("&sort=price", "1 2 0"),
            ("&sort=-price", "0 2 1"),
            ("&sort=name", "0 1 2"),
        ] {
            let expected: Vec<String> = expected.split(' ').map(|nth| format!("{word} {nth}")).collect();
            assert_eq!(listed(&format!("q={word}{sort}")).await, expected, "{sort}");
        }
    });
}

#[test]
fn special_characters_in_a_search_match_literally() {
    run(async {
        let word = format!("odd{}", unique());
        let mut odd = draft(100, 1.0);
        odd["name"] = json!(format!("{word} 100%_\\off 🚗 Größe 'x' \"y\""));
        add(&odd).await;
        let mut plain = draft(100, 1.0);
        plain["name"] = json!(format!("{word} 100 offer"));
        add(&plain).await;
        for (q, hits) in [
            (word.clone(), 2),
            (word.to_uppercase(), 2),
            (format!("{word} 100%"), 1),
            (format!("{word} 100%_"), 1),
            (format!("{word} 100_"), 0),
            (format!("{word}%"), 0),
            ("%_\\off 🚗".to_owned(), 1),
            ("%_\\off 🚗 gröSSe".to_owned(), 0),
            ("%_\\off 🚗 größe 'X' \"Y\"".to_owned(), 1),
            ("\\off 🚗 ".to_owned(), 1),
            ("🚗🚗".to_owned(), 0),
        ] {
            assert_eq!(listed(&format!("q={}", in_query(&q))).await.len(), hits, "{q}");
        }
        let number = draft(100, 1.0);
        add(&number).await;
        let wanted = number["partNumber"].as_str().unwrap().to_lowercase();
        assert!(listed(&format!("q={wanted}")).await.contains(&number["name"].as_str().unwrap().to_owned()));
    });
}

#[test]
fn in_stock_means_at_least_the_minimum_order() {
    run(async {
        let word = format!("stocked{}", unique());
        for (available, min_order) in [(49, 0), (50, 0), (79, 80), (80, 80), (0, 50)] {
            let mut sent = draft(available, 1.0);
            sent["name"] = json!(format!("{word} {available} of {min_order}"));
            sent["minOrder"] = json!(min_order);
            add(&sent).await;
        }
        let mut found = listed(&format!("q={word}&inStock=true")).await;
        found.sort();
        assert_eq!(found, [format!("{word} 50 of 0"), format!("{word} 80 of 80")]);
        assert_eq!(listed(&format!("q={word}&inStock=false")).await.len(), 5);
    });
}

#[test]
fn following_the_links_visits_every_product_once() {
    run(async {
        // Equal prices, so that a page may end between two of them.
        let word = family(&[2.0, 1.0, 2.0, 2.0, 1.0, 3.0, 2.0]).await;
        for sort in ["newest", "price", "-price", "name"] {
            let unpaged = get(format!("/products?q={word}&sort={sort}")).await.is(200);
            assert_eq!(unpaged.header("x-total-count"), "7", "{unpaged}");
            let whole = names(&unpaged.json());
            assert_eq!(whole.len(), 7);
            for limit in 1..=8 {
                let mut walked = Vec::new();
                let mut next = format!("/products?q={word}&sort={sort}&limit={limit}");
                while !next.is_empty() {
                    let answer = get(&*next).await.is(200);
                    assert_eq!(answer.header("x-total-count"), "7", "{answer}");
                    let page = names(&answer.json());
                    assert!(page.len() <= limit && !page.is_empty(), "{answer}");
                    walked.extend(page);
                    assert!(walked.len() <= 7, "an endless loop: {answer}");
                    let link = answer.header("link");
                    next = match link.strip_prefix('<').and_then(|link| link.split_once(">; rel=\"next\"")) {
                        Some((address, "")) => address.to_owned(),
                        _ => String::new(),
                    };
                    assert_eq!(next.is_empty(), link.is_empty(), "{answer}");
                }
                assert_eq!(walked, whole, "{sort}, {limit} a page");
            }
        }
    });
}

#[test]
fn adding_or_archiving_a_product_between_pages_skips_no_other() {
    run(async {
        let word = family(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).await;
        let first = get(format!("/products?q={word}&sort=price&limit=3")).await.is(200);
        let mut cheap = draft(100, 0.5);
        cheap["name"] = json!(format!("{word} cheap"));
        add(&cheap).await;
        // The product that the page ended with.
        let last = first.json()[2]["_id"].as_str().unwrap().to_owned();
        let link = first.header("link").trim_start_matches('<').split_once('>').unwrap().0.to_owned();
        let second = names(&get(&*link).await.is(200).json());
        assert_eq!(second, [format!("{word} 3"), format!("{word} 4"), format!("{word} 5")]);
        admin().await.send(delete(format!("/products/{last}"))).await.is(200);
        assert_eq!(names(&get(&*link).await.is(200).json()), second);
    });
}

#[test]
fn a_price_change_between_two_pages_skips_nothing() {
    run(async {
        for (sort, order, then) in [("price", [0, 1, 2, 3, 4, 5], 900.0), ("-price", [5, 4, 3, 2, 1, 0], 0.5)] {
            let word = family(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).await;
            let mut walked = Vec::new();
            let mut next = format!("/products?q={word}&sort={sort}&limit=2");
            while !next.is_empty() {
                let answer = get(&*next).await.is(200);
                if walked.is_empty() {
                    let last = answer.json()[1]["_id"].as_str().unwrap().to_owned();
                    let change = json!({"updatedQuantity": 0, "updatedPrice": then});
                    admin().await.send(put(format!("/products/{last}"), &change)).await.is(200);
                }
                walked.extend(names(&answer.json()));
                assert!(walked.len() <= 7, "an endless loop: {answer}");
                let link = answer.header("link");
                next =
                    link.strip_prefix('<').map_or_else(String::new, |link| link.split_once('>').unwrap().0.to_owned());
            }
            // The product that moved to the end of the list appears there again.
            let expected: Vec<String> = order.iter().chain(&order[1..2]).map(|nth| format!("{word} {nth}")).collect();
            assert_eq!(walked, expected, "{sort}");
        }
    });
}

#[test]
fn a_cursor_of_another_sort_order_is_refused_by_name() {
    run(async {
        let word = family(&[1.0, 2.0]).await;
        let first = get(format!("/products?q={word}&sort=price&limit=1")).await.is(200);
        let link = first.header("link").trim_start_matches('<').split_once('>').unwrap().0.to_owned();
        get(link.replace("sort=price", "sort=-price")).await.is(200);
        for sort in ["newest", "name"] {
            get(link.replace("sort=price", &format!("sort={sort}"))).await.field("cursor");
        }
    });
}

#[test]
fn an_invalid_parameter_is_refused() {
    run(async {
        for query in [
            "limit=0",
            "limit=-1",
            "limit=x",
            "limit=1.5",
            "limit=99999999999999999999",
            "cursor=x",
            "sort=random",
            "inStock=maybe",
        ] {
            get(format!("/products?{query}")).await.is(422);
        }
        for query in
            ["q=%00", "q=%FF%FE", "cursor=%00", "sort=%F0", "q=%", "limit", "&&&", "q=a&q=b", "unknown=1", "=", "q="]
        {
            let answer = get(format!("/products?{query}")).await;
            assert!(matches!(answer.status, 200 | 400 | 422), "{answer}");
        }
        let long = "q=".to_owned() + &"a".repeat(5_000);
        let answer = get(format!("/products?{long}")).await;
        assert!(matches!(answer.status, 200 | 414 | 422), "{}", answer.status);
    });
}

#[test]
fn a_matching_etag_gets_304_until_the_content_changes() {
    run(async {
        let id = product(500, 2.0).await;
        for path in [format!("/products/{id}"), "/products?limit=3&sort=name".into(), "/reviews".into()] {
            let first = get(&*path).await.is(200);
            let tag = first.header("etag").to_owned();
            assert!(tag.contains('"'), "{first}");
            assert!(first.header("cache-control").contains("public"), "{first}");
            for matching in [tag.clone(), format!("\"other\", {tag}"), "*".into()] {
                let again = get(&*path).header("if-none-match", matching).await;
                // Reviews and lists may have grown meanwhile.
                if path.contains(&id) || again.header("etag") == tag {
                    let again = again.is(304);
                    assert!(again.body.is_empty());
                    assert_eq!(again.header("etag"), tag);
                }
            }
            get(&*path).header("if-none-match", "\"other\"").await.is(200);
        }
        let path = format!("/products/{id}");
        let tag = get(&*path).await.header("etag").to_owned();
        admin().await.send(put(&*path, &json!({"updatedQuantity": 1, "updatedPrice": 2}))).await.is(200);
        let changed = get(&*path).header("if-none-match", &*tag).await.is(200);
        assert_ne!(changed.header("etag"), tag);
    });
}

#[test]
fn head_responds_as_get_does_without_a_body() {
    run(async {
        // Nothing that other tests change between the two calls: the home page embeds the newest products of all.
        let (id, word) = (product(500, 2.0).await, family(&[2.0]).await);
        let list = format!("/products?q={word}&limit=1");
        for path in [format!("/products/{id}"), list, "/about".into(), "/config".into()] {
            let (got, head) = (get(&*path).await.is(200), call("HEAD", &*path).await.is(200));
            assert!(head.body.is_empty());
            for name in ["content-type", "etag", "cache-control"] {
                assert_eq!(got.header(name), head.header(name), "{name} of {path}");
            }
        }
        call("HEAD", "/products/nowhere").await.is(404);
        call("HEAD", "/orders").await.is(401);
    });
}

#[test]
fn an_invalid_product_is_reported_field_by_field() {
    run(async {
        let boss = admin().await;
        for (field, wrong) in [
            ("name", json!("")),
            ("name", json!("n".repeat(5_000))),
            ("name", Value::Null),
            ("description", json!("  ")),
            ("price", json!(0)),
            ("price", json!(0.001)),
            ("price", json!(0.009)),
            ("price", json!(-1)),
            ("price", json!(129.999)),
            ("price", json!(1e15)),
            ("price", json!("10")),
            ("availableQty", json!(-1)),
            ("availableQty", json!(1.5)),
            ("availableQty", json!(9_007_199_254_740_993_i64)),
            ("minOrder", json!(-1)),
            ("minOrder", json!(50.5)),
        ] {
            let mut sent = draft(100, 1.0);
            sent[field] = wrong;
            assert_ne!(boss.send(post("/products", &sent)).await.field(field), "", "{sent}");
        }
        let returned = boss.send(post("/products", &json!({}))).await.refused(422);
        let fields: Vec<&str> =
            returned["errors"].as_array().unwrap().iter().map(|one| one["field"].as_str().unwrap()).collect();
        for field in ["name", "description", "price", "category", "availableQty", "img"] {
            assert!(fields.contains(&field), "{field} of {returned}");
        }
    });
}

#[test]
fn ten_concurrent_archivals_archive_a_product_once() {
    run(async {
        let boss = admin().await;
        let id = product(100, 1.0).await;
        let answers = all((0..10).map(|_| boss.send(delete(format!("/products/{id}"))))).await;
        let counts: Vec<u64> =
            answers.into_iter().map(|answer| answer.is(200).json()["deletedCount"].as_u64().unwrap()).collect();
        assert_eq!(counts.iter().sum::<u64>(), 1, "{counts:?}");
    });
}

#[test]
fn prices_keep_their_cents() {
    run(async {
        for (price, expected) in
            [(0.01, "0.01"), (129.0, "129"), (129.5, "129.5"), (0.07, "0.07"), (19.99, "19.99"), (1_234.56, "1234.56")]
        {
            let id = product(100, price).await;
            let returned = get(format!("/products/{id}")).await.is(200).text();
            assert!(returned.contains(&format!("\"price\":{expected},")), "{returned}");
        }
    });
}

#[test]
fn a_minimum_order_can_only_raise_the_floor() {
    run(async {
        for (sent, expected) in [(0, 50), (10, 50), (50, 50), (51, 51), (400, 400)] {
            let mut new = draft(1_000, 1.0);
            new["minOrder"] = json!(sent);
            let id = add(&new).await;
            let returned = get(format!("/products/{id}")).await.is(200).json();
            assert_eq!(returned["minOrder"], expected);
        }
    });
}

#[test]
fn restocking_adds_units_and_sets_the_price() {
    run(async {
        let boss = admin().await;
        let id = product(100, 2.0).await;
        let path = format!("/products/{id}");
        let sent = json!({"updatedQuantity": 25, "updatedPrice": 2.75});
        assert_eq!(boss.send(put(&*path, &sent)).await.is(200).json(), json!({"modifiedCount": 1}));
        let returned = get(&*path).await.is(200).json();
        assert_eq!((&returned["availableQty"], &returned["price"]), (&json!(125), &json!(2.75)));
        boss.send(put(&*path, &json!({"updatedQuantity": 0, "updatedPrice": 0.01}))).await.is(200);
        for (field, wrong) in [
            ("updatedQuantity", json!(-1)),
            ("updatedQuantity", json!(0.5)),
            ("updatedQuantity", json!("5")),
            ("updatedQuantity", Value::Null),
            ("updatedQuantity", json!(1e300)),
            ("updatedQuantity", json!(u64::MAX)),
            ("updatedPrice", json!(0)),
            ("updatedPrice", json!(0.001)),
            ("updatedPrice", json!(-5)),
            ("updatedPrice", json!(1e300)),
            ("updatedPrice", json!("5")),
        ] {
            let mut sent = json!({"updatedQuantity": 1, "updatedPrice": 1});
            sent[field] = wrong;
            boss.send(put(&*path, &sent)).await.field(field);
        }
        let returned = get(&*path).await.is(200).json();
        assert_eq!((&returned["availableQty"], &returned["price"]), (&json!(125), &json!(0.01)));
        boss.send(put("/products/00000000-0000-7000-8000-000000000000", &sent)).await.is(404);
        boss.send(put("/products/x", &sent)).await.is(404);
    });
}

#[test]
fn stock_above_the_maximum_is_refused_and_changes_nothing() {
    run(async {
        let boss = admin().await;
        let id = product(900_000_000, 2.0).await;
        let path = format!("/products/{id}");
        for more in [900_000_000_u64, 2_000_000_000, 4_000_000_000] {
            boss.send(put(&*path, &json!({"updatedQuantity": more, "updatedPrice": 9}))).await.is(422);
        }
        let returned = get(&*path).await.is(200).json();
        assert_eq!((&returned["availableQty"], &returned["price"]), (&json!(900_000_000), &json!(2)));
    });
}

#[test]
fn concurrent_restocking_and_sales_lose_no_units() {
    run(async {
        let boss = admin().await;
        let customer = User::new().await;
        let id = product(1_000, 2.0).await;
        let calls = (0..20).flat_map(|_| {
            let restock = boss.send(put(format!("/products/{id}"), &json!({"updatedQuantity": 10, "updatedPrice": 2})));
            let sale: Call = customer.send(post("/orders", &purchase(&id, 50)));
            // With keys, so that a repeated call does not count twice.
            [restock.key(&fresh_key()), sale.key(&fresh_key())]
        });
        let answers = all(calls).await;
        let sold = answers.iter().filter(|answer| answer.status == 201).count();
        assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 20);
        assert_eq!(stock(&id).await, 1_000 + 200 - 50 * sold as u64);
        assert_eq!(customer.orders().await.len(), sold);
    });
}

#[test]
fn an_archived_product_is_gone_and_its_orders_keep_its_snapshot() {
    run(async {
        let boss = admin().await;
        let customer = User::new().await;
        let mut sent = draft(500, 3.5);
        let name = format!("Leaving {}", unique());
        sent["name"] = json!(name);
        let id = add(&sent).await;
        let placed = order(&customer, &id, 60).await;
        let path = format!("/products/{id}");
        assert_eq!(boss.send(delete(&*path)).await.is(200).json(), json!({"deletedCount": 1}));
        assert_eq!(boss.send(delete(&*path)).await.is(200).json(), json!({"deletedCount": 0}));
        get(&*path).await.is(404);
        boss.send(put(&*path, &json!({"updatedQuantity": 1, "updatedPrice": 1}))).await.is(404);
        assert_eq!(listed(&format!("q={}", in_query(&name))).await, Vec::<String>::new());
        let refused = customer.send(post("/orders", &purchase(&id, 50))).await;
        assert!(matches!(refused.status, 404 | 409 | 422), "{refused}");
        let kept = customer.send(get(format!("/orders/{placed}"))).await.is(200).json();
        assert_eq!((&kept["productName"], &kept["price"], &kept["img"]), (&sent["name"], &json!(210), &sent["img"]));
        // A cancellation returns the units to an archived product; that is not an error.
        assert_eq!(customer.send(delete(format!("/orders/{placed}"))).await.is(200).json(), json!({"deletedCount": 1}));
        let never = "/products/00000000-0000-7000-8000-000000000000";
        assert_eq!(boss.send(delete(never)).await.is(200).json(), json!({"deletedCount": 0}));
        boss.send(delete("/products/nothing")).await.is(404);
    });
}
