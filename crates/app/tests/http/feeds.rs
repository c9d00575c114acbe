//! Feeds over HTTP: sent, checked, applied and called off.

use std::time::Duration;

use serde_json::{Value, json};

use crate::fixtures::{add, admin, draft, fresh_key, stock, unique};
use crate::pictures::multipart;
use crate::server::{Answer, Call, call, get, post, run};

/// A brand of its own, with these parts: number, units, price.
struct Brand(String);

impl Brand {
    async fn selling(parts: &[(&str, u32)]) -> (Self, Vec<String>) {
        let brand = format!("Feed {}", unique());
        let mut ids = Vec::new();
        for (number, available) in parts {
            let mut sent = draft(*available, 10.0);
            sent["brand"] = json!(brand);
            sent["partNumber"] = json!(number);
            sent["name"] = json!(format!("{brand} {number}"));
            ids.push(add(&sent).await);
        }
        (Self(brand), ids)
    }

    /// A file of this brand: each line gets the brand in front.
    fn file(&self, header: &str, rows: &[&str]) -> String {
        let lines = rows.iter().map(|row| format!("{},{row}", self.0));
        [format!("brand,{header}")].into_iter().chain(lines).map(|line| line + "\n").collect()
    }
}

async fn by_admin(call: Call) -> Answer {
    admin().await.send(call).await
}

fn send(query: &str, file: impl Into<Vec<u8>>) -> Call {
    call("POST", format!("/feeds?{query}")).body("text/csv", file)
}

fn id_of(answer: Answer) -> String {
    answer.is(202).json()["_id"].as_str().unwrap().to_owned()
}

/// The feed, once nobody works on it.
async fn settled(feed: &str) -> Value {
    for _ in 0..600 {
        let seen = by_admin(get(format!("/feeds/{feed}"))).await.is(200).json();
        if !matches!(seen["state"].as_str().unwrap(), "waiting" | "reading" | "applying") {
            return seen;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("feed {feed} does not end");
}

async fn ended(query: &str, file: impl Into<Vec<u8>>) -> Value {
    settled(&id_of(by_admin(send(query, file)).await)).await
}

fn counts(feed: &Value) -> [u64; 6] {
    ["rows", "added", "changed", "same", "refused", "archived"].map(|name| feed["counts"][name].as_u64().unwrap())
}

/// The findings as line, column and reason.
fn findings(feed: &Value) -> Vec<(u64, String, String)> {
    let text = |one: &Value, field: &str| one[field].as_str().unwrap().to_owned();
    let all = feed["findings"].as_array().unwrap().iter();
    all.map(|one| (one["line"].as_u64().unwrap(), text(one, "field"), text(one, "reason"))).collect()
}

fn found(line: u64, field: &str, reason: &str) -> (u64, String, String) {
    (line, field.to_owned(), reason.to_owned())
}

/// Least quantities and prices of a list.
async fn list_prices(list: &str) -> Vec<(u64, f64)> {
    let read = by_admin(get(format!("/price-lists/{list}/prices"))).await.is(200).json();
    let price = |one: &Value| (one["from"].as_u64().unwrap(), one["price"].as_f64().unwrap());
    read["items"].as_array().unwrap().iter().map(price).collect()
}

async fn prices_are_taken_away_and_limited(brand: &Brand, product: &str, list: &str, name: &str) {
    // The same again changes nothing; a dash takes away, and an empty cell leaves alone.
    let again =
        brand.file("part_number,list,from,price", &["P-1,,200,8.40", &format!("P-1,{name},100,8.00"), "P-1,,,"]);
    assert_eq!(counts(&ended("kind=prices", again).await), [3, 0, 0, 3, 0, 0]);
    let rows = ["P-1,,500,-", &format!("P-1,{name},1,-"), &format!("P-1,{name},100,7.75"), "P-2,,900,-"];
    let feed = ended("kind=prices", brand.file("part_number,list,from,price", &rows)).await;
    assert_eq!((counts(&feed), &feed["state"]), ([4, 0, 3, 1, 0, 0], &json!("applied")));
    let shown = get(format!("/products/{product}")).await.json();
    assert_eq!(shown["tiers"], json!([{"from": 50, "price": 9.5}, {"from": 200, "price": 8.4}]));
    assert_eq!(list_prices(list).await, [(100, 7.75)]);

    // A ladder has twenty prices at most, of which one is there.
    let rows: Vec<String> = (1..=20).map(|n| format!("P-1,,{},5", 1000 + n)).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let feed = ended("kind=prices", brand.file("part_number,list,from,price", &rows)).await;
    assert_eq!((&feed["state"], counts(&feed)), (&json!("checked"), [20, 0, 0, 0, 20, 0]), "{feed}");
    let feed = ended("kind=prices", brand.file("part_number,list,from,price", &rows[..19])).await;
    assert_eq!((&feed["state"], counts(&feed)), (&json!("applied"), [19, 19, 0, 0, 0, 0]), "{feed}");
}

#[test]
fn a_feed_of_prices_sets_the_list_price_tiers_and_prices_of_lists() {
    run(async {
        let (brand, ids) = Brand::selling(&[("P-1", 5000), ("P-2", 5000)]).await;
        let name = format!("Workshops {}", unique());
        let list = |sent: Value| async move {
            by_admin(post("/price-lists", &sent)).await.is(201).json()["insertedId"].to_string()
        };
        let (with_prices, percentage) =
            (list(json!({"name": name})).await, list(json!({"name": format!("{name} off"), "percent": 5})).await);
        let with_prices = with_prices.trim_matches('"').to_owned();
        assert_ne!(with_prices, percentage.trim_matches('"'));
        let named = name.to_uppercase();
        let file = brand.file(
            "part_number,list,from,price",
            &[
                "P-1,,,9.50",
                "P-1,,200,8.40",
                "P-1,,500,7.30",
                &format!("P-1,{named},,9.00"),
                &format!("P-1,{named},100,8.00"),
                "P-2,,300,",
                "P-2,,1,10",
                "P-9,,,5",
                "P-2,Nobody's,,5",
                &format!("P-2,{name} off,,5"),
                "P-2,,0,5",
                "P-2,,700,5",
                "P-2,,700,6",
            ],
        );
        let feed = ended("kind=prices&partial=true", file).await;
        assert_eq!(feed["state"], "applied", "{feed}");
        assert_eq!(counts(&feed), [13, 4, 1, 2, 6, 0], "{feed}");
        assert_eq!(
            findings(&feed),
            [
                found(9, "part_number", "unknown"),
                found(10, "list", "unknown"),
                found(11, "list", "invalid"),
                found(12, "from", "invalid"),
                found(13, "part_number", "duplicate"),
                found(14, "part_number", "duplicate"),
            ]
        );
        let fields: Vec<Value> =
            feed["changes"].as_array().unwrap().iter().map(|one| one["fields"][0].clone()).collect();
        assert_eq!(fields[0], json!({"field": "price", "old": "10.00", "new": "9.50"}));
        assert_eq!((&fields[1]["field"], &fields[1]["new"]), (&json!("from 200"), &json!("8.40")));
        assert_eq!(fields[4]["field"], json!(format!("{named} from 100")));

        let shown = get(format!("/products/{}", ids[0])).await.json();
        assert_eq!(shown["price"], 9.5);
        let base = json!({"from": 50, "price": 9.5});
        assert_eq!(shown["tiers"], json!([base, {"from": 200, "price": 8.4}, {"from": 500, "price": 7.3}]));
        assert_eq!(list_prices(&with_prices).await, [(1, 9.0), (100, 8.0)]);

        prices_are_taken_away_and_limited(&brand, &ids[0], &with_prices, &name).await;
        for id in [with_prices, percentage.trim_matches('"').to_owned()] {
            by_admin(call("DELETE", format!("/price-lists/{id}"))).await.is(200);
        }
    });
}

#[test]
fn a_feed_is_checked_then_applied_and_changes_nothing_that_it_does_not_say() {
    run(async {
        let (brand, ids) = Brand::selling(&[("A-1", 500), ("A 2", 600), ("1E10", 700)]).await;
        let file = brand.file("Part Number,availableQty,colour", &["a1,450,red", "A-2,,", "1e10,700,", "A-4,5,"]);
        let feed = ended("kind=stock&dryRun=true&name=C%3A%5Cstock.csv", file).await;
        assert_eq!(
            (&feed["state"], &feed["name"], &feed["kind"]),
            (&json!("checked"), &json!("stock.csv"), &json!("stock"))
        );
        assert_eq!(counts(&feed), [4, 0, 1, 2, 1, 0], "{feed}");
        assert_eq!(findings(&feed), [found(5, "part_number", "unknown")]);
        let change = json!({ "field": "availableQty", "old": "500", "new": "450" });
        assert_eq!(feed["changes"][0]["fields"], json!([change]));
        assert_eq!(feed["changes"][0]["productId"], ids[0]);
        assert_eq!(stock(&ids[0]).await, 500, "a check changes nothing");

        let apply = |body: Value| call("POST", format!("/feeds/{}/apply", feed["_id"].as_str().unwrap())).json(&body);
        let refused = by_admin(apply(json!({}))).await.refused(409);
        assert_eq!(refused["refused"], 1);
        by_admin(apply(json!({"partial": true}))).await.is(202);
        let feed = settled(feed["_id"].as_str().unwrap()).await;
        assert_eq!(feed["state"], "applied", "{feed}");
        assert_eq!([stock(&ids[0]).await, stock(&ids[1]).await, stock(&ids[2]).await], [450, 600, 700]);
        assert_eq!(get(format!("/products/{}", ids[0])).await.json()["price"], 10.0);
        by_admin(apply(json!({"partial": true}))).await.refused(409);
        let listed = by_admin(get("/feeds?limit=1000")).await.is(200).json();
        assert!(listed.as_array().unwrap().iter().any(|one| one["_id"] == feed["_id"]));
        let csv = by_admin(get(format!("/feeds/{}/findings.csv", feed["_id"].as_str().unwrap()))).await.is(200).text();
        assert!(csv.starts_with("line,column,reason,message\r\n5,part_number,unknown,There is no "), "{csv}");
    });
}

#[test]
fn stock_is_counted_or_added_once_and_prices_leave_it_alone() {
    run(async {
        let (brand, ids) = Brand::selling(&[("1", 500), ("2", 500)]).await;
        let key = fresh_key();
        let file = brand.file("part_number,addQty", &["1,25", "2,0"]);
        let first = by_admin(send("kind=stock", file.clone()).key(&key)).await;
        let again = by_admin(send("kind=stock", file).key(&key)).await;
        let (first, again) = (id_of(first), id_of(again));
        assert_eq!(first, again);
        assert_eq!(settled(&first).await["state"], "applied");
        assert_eq!(stock(&ids[0]).await, 525);

        let feed = ended("kind=prices", brand.file("part_number;price", &[]).replace(',', ";")).await;
        assert_eq!(counts(&feed)[0], 0);
        let file = format!("brand;part_number;price\n{0};1;12,50\n{0};2;10\n", brand.0);
        let feed = ended("kind=prices", file).await;
        assert_eq!((&feed["state"], counts(&feed)), (&json!("applied"), [2, 0, 1, 1, 0, 0]));
        let read = get(format!("/products/{}", ids[0])).await.json();
        assert_eq!((&read["price"], &read["availableQty"]), (&json!(12.5), &json!(525)));
    });
}

#[test]
fn rows_of_one_key_refuse_each_other_and_bad_cells_are_findings() {
    run(async {
        let (brand, ids) = Brand::selling(&[("1", 500), ("2", 500), ("3", 500)]).await;
        let file = format!(
            "_id,brand,part_number,availableQty\n,{0},1,5\n{1},,,6\n,{0},2,1E10\n,{0},3,-\nnonsense,,,1\n,{0},,1\n",
            brand.0, ids[0]
        );
        let feed = ended("kind=stock", file).await;
        assert_eq!((&feed["state"], counts(&feed)), (&json!("checked"), [6, 0, 0, 0, 6, 0]));
        assert_eq!(
            findings(&feed),
            [
                found(2, "part_number", "duplicate"),
                found(3, "part_number", "duplicate"),
                found(4, "availableQty", "invalid"),
                found(5, "availableQty", "required"),
                found(6, "_id", "invalid"),
                found(7, "part_number", "required"),
            ]
        );
        let reasons = feed["reasons"].as_array().unwrap();
        assert_eq!(reasons.iter().map(|one| one["count"].as_u64().unwrap()).sum::<u64>(), 6);
        assert_eq!(stock(&ids[0]).await, 500);
    });
}

#[test]
fn upsert_adds_whole_products_only_and_a_dash_clears() {
    run(async {
        let (brand, ids) = Brand::selling(&[("1", 500)]).await;
        let header = "part_number,name,description,category,price,img,availableQty,weight,partType";
        let file = brand.file(
            header,
            &[
                "1,,,,,,,9000,Brake disc",
                "NEW-1,A new disc,It brakes.,brakes,20,/pictures/x.webp,70,,",
                "NEW-2,,,,20,,,,",
                "NEW-3,A disc,It brakes.,BRAKES,20,/pictures/x.webp,,,no such type",
            ],
        );
        let feed = ended("kind=products&mode=update", file.clone()).await;
        assert_eq!(counts(&feed), [4, 0, 1, 0, 3, 0], "{feed}");
        let feed = ended("kind=products&mode=upsert&partial=true", file).await;
        assert_eq!((&feed["state"], counts(&feed)), (&json!("applied"), [4, 1, 1, 0, 2, 0]), "{feed}");
        let missing = findings(&feed).into_iter().filter(|(line, ..)| *line == 4).map(|(_, field, _)| field);
        assert_eq!(missing.collect::<Vec<_>>(), ["category", "description", "img", "name"]);
        let read = get(format!("/products/{}", ids[0])).await.json();
        assert_eq!((&read["weight"], &read["partType"]), (&json!(9000), &json!("Brake disc")));
        let listed = get(format!("/products?brand={}", brand.0.replace(' ', "%20"))).await.json();
        let new = listed.as_array().unwrap().iter().find(|product| product["partNumber"] == "NEW-1").unwrap().clone();
        assert_eq!(
            (&new["availableQty"], &new["minOrder"], &new["category"]),
            (&json!(70), &json!(50), &json!("BRAKES"))
        );
        assert_eq!(
            get(format!("/products?q=new1&brand={}", brand.0.replace(' ', "%20"))).await.json()[0]["_id"],
            new["_id"]
        );

        let feed =
            ended("kind=products", brand.file("part_number,name,weight,partType", &["1,Renamed disc,-,-"])).await;
        assert_eq!(feed["state"], "applied", "{feed}");
        let read = get(format!("/products/{}", ids[0])).await.json();
        assert_eq!(
            (&read["weight"], &read["partType"], &read["name"]),
            (&Value::Null, &Value::Null, &json!("Renamed disc"))
        );
        let named = get(format!("/products?q=renamed&brand={}", brand.0.replace(' ', "%20"))).await.json();
        assert_eq!(named[0]["_id"], ids[0]);
    });
}

#[test]
fn replacing_archives_what_no_row_has_once_the_number_is_confirmed() {
    run(async {
        let (brand, ids) = Brand::selling(&[("1", 50), ("2", 50), ("3", 50), ("4", 50), ("5", 50)]).await;
        let feed = ended("kind=products&mode=replace", brand.file("part_number", &["1", "2", "3", "4"])).await;
        assert_eq!(
            (&feed["state"], counts(&feed)),
            (&json!("applied"), [4, 0, 0, 4, 0, 1]),
            "one in five goes unasked"
        );
        get(format!("/products/{}", ids[4])).await.is(404);

        let file = brand.file("part_number,price", &["1,11", "2,nonsense", "5,"]);
        let feed = ended("kind=products&mode=replace&partial=true", file.clone()).await;
        assert_eq!((&feed["state"], counts(&feed)), (&json!("checked"), [3, 1, 1, 0, 1, 2]), "{feed}");
        assert_eq!(feed["archivesMuch"], true);
        let apply = |body: Value| call("POST", format!("/feeds/{}/apply", feed["_id"].as_str().unwrap())).json(&body);
        let refused = by_admin(apply(json!({"partial": true}))).await.refused(409);
        assert_eq!(refused["archived"], 2);
        by_admin(apply(json!({"partial": true, "confirmArchived": 3}))).await.refused(409);
        by_admin(apply(json!({"partial": true, "confirmArchived": -1}))).await.refused(422);
        by_admin(apply(json!({"partial": true, "confirmArchived": 2}))).await.is(202);
        assert_eq!(settled(feed["_id"].as_str().unwrap()).await["state"], "applied");
        for (id, status) in ids.iter().zip([200, 200, 404, 404, 200]) {
            assert_eq!(get(format!("/products/{id}")).await.status, status);
        }
        let feed = ended("kind=prices", brand.file("part_number,price", &["3,5"])).await;
        assert_eq!(findings(&feed), [found(2, "part_number", "archived")]);
        by_admin(send("kind=stock&mode=replace", file)).await.refused(422);
    });
}

#[test]
fn numbers_are_added_changed_and_replaced_beside_those_entered_by_hand() {
    run(async {
        let (brand, ids) = Brand::selling(&[("1", 50)]).await;
        let by_hand = json!({"numbers": [{"kind": "oe", "number": "HAND-1"}]});
        let put = |numbers: &Value| call("PUT", format!("/products/{}/numbers", ids[0])).json(numbers);
        by_admin(put(&by_hand)).await.is(200);
        let header = "part_number,kind,number,number_brand,note";
        let rows = ["1,oe,16-07,Volvo,first", "1,competitor,X 1,,", "1,oe,16.07,Volvo,", "1,oe,,Volvo,", "1,own,2,,"];
        let feed = ended("kind=numbers&partial=true", brand.file(header, &rows)).await;
        assert_eq!((&feed["state"], counts(&feed)), (&json!("applied"), [5, 1, 0, 0, 4, 0]), "{feed}");
        let feed = ended("kind=numbers", brand.file(header, &["1,oe,16-07,volvo,second"])).await;
        assert_eq!((&feed["state"], counts(&feed)), (&json!("applied"), [1, 1, 0, 0, 0, 0]), "{feed}");
        let feed = ended("kind=numbers", brand.file(header, &["1,oe,1607,VOLVO,-"])).await;
        assert_eq!(counts(&feed), [1, 0, 1, 0, 0, 0], "{feed}");
        let shown = async || {
            let numbers = get(format!("/products/{}/numbers", ids[0])).await.json();
            let numbers = numbers["numbers"].as_array().cloned().unwrap_or_else(|| numbers.as_array().unwrap().clone());
            numbers.iter().map(|one| one["number"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        // Own, by hand, by feeds.
        assert_eq!(shown().await, ["1", "HAND-1", "1607", "X 1"]);
        by_admin(put(&json!({"numbers": []}))).await.is(200);
        assert_eq!(shown().await, ["1", "1607", "X 1"], "what feeds brought stays");
        let feed = ended("kind=numbers&mode=replace&dryRun=true", brand.file(header, &["1,oe,1607,Volvo,"])).await;
        assert_eq!((counts(&feed), &feed["archivesMuch"]), ([1, 0, 0, 1, 0, 1], &json!(true)));
        let apply = call("POST", format!("/feeds/{}/apply", feed["_id"].as_str().unwrap()));
        by_admin(apply.json(&json!({"confirmArchived": 1}))).await.is(202);
        assert_eq!(settled(feed["_id"].as_str().unwrap()).await["state"], "applied");
        assert_eq!(shown().await, ["1", "1607"]);
    });
}

#[test]
fn fitments_are_found_by_names_and_say_which_feed_brought_them() {
    run(async {
        let (brand, ids) = Brand::selling(&[("1", 50)]).await;
        let header = "part_number,make,model,year_from,year_to,engine,submodel,position,per_vehicle,condition,action";
        let rows = [
            "1,toyota,CAMRY,2014,2015,2.5 4cyl,,front,2,,",
            "1,Toyotta,Camry,2014,,,,,,,",
            "1,Toyota,Camry,2015,2014,,,,,,",
            "1,Toyota,Camry,2014,,,,middle,,,",
            "1,Toyota,Camry,2001,,,,,,,D",
        ];
        let feed = ended("kind=fitment-csv&name=discs.csv&partial=true", brand.file(header, &rows)).await;
        assert_eq!((&feed["state"], counts(&feed)), (&json!("applied"), [5, 1, 0, 0, 4, 0]), "{feed}");
        assert_eq!(
            findings(&feed),
            [
                found(3, "make", "vehicle"),
                found(4, "year_to", "invalid"),
                found(5, "position", "invalid"),
                found(6, "action", "absent"),
            ]
        );
        let message = feed["findings"][0]["message"].as_str().unwrap();
        assert!(message.starts_with("We don't know the make Toyotta. Did you mean Toyota, "), "{message}");
        let vehicle = get("/vehicles?q=2014%20toyota%20camry").await.is(200).json()[0]["vehicle"].clone();
        let engines = get(format!("/vehicles/engines?vehicle={vehicle}")).await.is(200).json();
        let engines = engines.as_array().unwrap().iter();
        let small = engines.clone().find(|one| one["name"].as_str().unwrap().starts_with("2.5")).unwrap()["id"].clone();
        let fit = get(format!("/products/{}/fit?vehicle={vehicle}&engine={small}", ids[0])).await.is(200).json();
        assert_eq!(
            (&fit["verdict"], &fit["because"][0]["source"], &fit["because"][0]["perVehicle"]),
            (&json!("yes"), &json!("discs.csv"), &json!(2)),
            "{fit}"
        );
        let by_hand = by_admin(get(format!("/products/{}/fitments", ids[0]))).await.is(200).json();
        assert_eq!(by_hand, json!([]), "nobody entered them");

        let rows = ["1,Toyota,Camry,2016,,,,front,2,,"];
        let feed = ended("kind=fitment&mode=replace&dryRun=true", brand.file(header, &rows)).await;
        assert_eq!(feed["archivesMuch"], true, "{feed}");
        let archived = feed["counts"]["archived"].clone();
        let apply = call("POST", format!("/feeds/{}/apply", feed["_id"].as_str().unwrap()));
        by_admin(apply.json(&json!({ "confirmArchived": archived }))).await.is(202);
        assert_eq!(settled(feed["_id"].as_str().unwrap()).await["state"], "applied");
        let fit = get(format!("/products/{}/fit?vehicle={vehicle}", ids[0])).await.is(200).json();
        assert_eq!(fit["verdict"], "no");
    });
}

#[test]
fn files_that_cannot_be_read_are_sentences_at_their_lines() {
    run(async {
        let (brand, ids) = Brand::selling(&[("1", 500), ("2", 500)]).await;
        let whole = brand.file("part_number,availableQty", &["1,5", "2,5"]);
        for (file, line, words) in [
            (whole.replace(",2,5", ",\"2,5"), 3, "never closed"),
            (whole.replace("2,5\n", "2"), 3, "ends in the middle"),
            (whole.replace("part_number", "number"), 1, "part_number is missing"),
            (whole.replace("part_number", "brand"), 1, "brand appears twice"),
            ("\n\n".to_owned(), 1, "empty"),
        ] {
            let feed = ended("kind=stock", file).await;
            assert_eq!((&feed["state"], &feed["findings"][0]["line"]), (&json!("failed"), &json!(line)), "{feed}");
            assert!(feed["error"].as_str().unwrap().contains(words), "{feed}");
        }
        for (file, status) in
            [(&b""[..], 422), (b"\x1f\x8b\x08\x00compressed", 415), (b"PK\x03\x04sheet", 415), (b"\xff\xfeb\0r\0", 415)]
        {
            by_admin(send("kind=stock", file)).await.refused(status);
        }
        for query in ["", "kind=cars", "kind=stock&mode=guess", "kind=stock&dryRun=perhaps"] {
            by_admin(send(query, whole.clone())).await.refused(422);
        }
        by_admin(call("POST", "/feeds?kind=stock").json(&json!({}))).await.refused(415);
        by_admin(send("kind=stock", whole.clone()).header("content-encoding", "gzip")).await.refused(415);
        assert_eq!([stock(&ids[0]).await, stock(&ids[1]).await], [500, 500]);

        // A form, tabs, Latin-1 and a byte order mark.
        let (media_type, form) = multipart("file", "stock.csv", "text/csv", whole.as_bytes());
        let sent = by_admin(call("POST", "/feeds?kind=stock").body(&media_type, form)).await;
        assert_eq!(settled(&id_of(sent)).await["state"], "applied");
        let tabs = format!("\u{feff}{}", whole.replace(',', "\t").replace("\t5", "\t6"));
        assert_eq!(ended("kind=stock", tabs).await["state"], "applied");
        assert_eq!(stock(&ids[1]).await, 6);
        let latin = brand.file("part_number,name", &["1,Bremsscheibe f"]).trim_end().as_bytes().to_vec();
        let latin = [&latin[..], b"\xfcr vorn\n"].concat();
        assert_eq!(ended("kind=products", latin).await["state"], "applied");
        assert_eq!(get(format!("/products/{}", ids[0])).await.json()["name"], "Bremsscheibe für vorn");
    });
}

#[test]
fn a_feed_is_called_off_before_it_is_applied_and_not_after() {
    run(async {
        let (brand, ids) = Brand::selling(&[("1", 500)]).await;
        let file = brand.file("part_number,availableQty", &["1,5"]);
        let feed = ended("kind=stock&dryRun=true", file.clone()).await;
        let path = format!("/feeds/{}", feed["_id"].as_str().unwrap());
        assert_eq!(by_admin(call("DELETE", &path)).await.is(200).json()["deletedCount"], 1);
        assert_eq!(by_admin(call("DELETE", &path)).await.is(200).json()["deletedCount"], 0);
        let refused = by_admin(call("POST", format!("{path}/apply"))).await.refused(409);
        assert_eq!(refused["state"], "cancelled");
        assert_eq!(stock(&ids[0]).await, 500);
        let feed = ended("kind=stock", file).await;
        by_admin(call("DELETE", format!("/feeds/{}", feed["_id"].as_str().unwrap()))).await.refused(409);
    });
}

#[test]
fn every_sample_imports_without_a_finding() {
    run(async {
        for kind in ["products", "stock", "prices", "numbers", "fitment"] {
            let sample = get(format!("/feeds/samples/{kind}.csv")).await.is(200).text();
            let feed = ended(&format!("kind={kind}&mode=upsert&dryRun=true"), sample).await;
            assert_eq!((&feed["state"], &feed["findings"]), (&json!("checked"), &json!([])), "{kind}: {feed}");
        }
        get("/feeds/samples/cars.csv").await.is(404);
    });
}
