//! Which part fits which vehicle, over HTTP.

use serde_json::{Value, json};

use crate::fixtures::{User, add, admin, draft, unique};
use crate::server::{Answer, call, delete, get, put, run};

/// 2014 Toyota Camry, with the ids of its two engines.
struct Camry {
    id: i64,
    small: i64,
    large: i64,
}

async fn camry(year: i64) -> Camry {
    let found = get(format!("/vehicles?q={year}%20toyota%20camry")).await.is(200).json();
    let id = found[0]["vehicle"].as_i64().unwrap();
    let engines = get(format!("/vehicles/engines?vehicle={id}")).await.is(200).json();
    let of = |litres: &str| {
        let engine = engines.as_array().unwrap().iter().find(|one| one["name"].as_str().unwrap().starts_with(litres));
        engine.map_or(0, |engine| engine["id"].as_i64().unwrap())
    };
    Camry { id, small: of("2.5"), large: of("3.5") }
}

fn word() -> String {
    format!("fit{}x", unique())
}

/// A part whose name begins with a word.
async fn part(word: &str, name: &str) -> String {
    let mut sent = draft(500, 129.5);
    sent["name"] = json!(format!("{word} {name}"));
    add(&sent).await
}

async fn set(product: &str, fitments: &Value) -> Answer {
    let call = put(format!("/products/{product}/fitments"), &json!({ "fitments": fitments }));
    admin().await.send(call).await
}

fn camrys(from: i64, to: i64) -> Value {
    json!({ "make": "Toyota", "model": "Camry", "yearFrom": from, "yearTo": to })
}

fn with(mut fitment: Value, more: &Value) -> Value {
    for (name, value) in more.as_object().unwrap() {
        fitment[name] = value.clone();
    }
    fitment
}

async fn fit(product: &str, query: &str) -> Value {
    get(format!("/products/{product}/fit?{query}")).await.is(200).json()
}

async fn verdict(product: &str, query: &str) -> String {
    fit(product, query).await["verdict"].as_str().unwrap().to_owned()
}

/// The names and verdicts of a list, without the word that they begin with.
async fn listed(query: &str) -> Vec<(String, String)> {
    let list = get(format!("/products?{query}")).await.is(200).json();
    let one = |product: &Value| {
        let name = product["name"].as_str().unwrap().split_once(' ').unwrap().1.to_owned();
        (name, product["fit"]["verdict"].as_str().unwrap_or_default().to_owned())
    };
    list.as_array().unwrap().iter().map(one).collect()
}

fn pairs(wanted: &[(&str, &str)]) -> Vec<(String, String)> {
    wanted.iter().map(|(name, verdict)| ((*name).to_owned(), (*verdict).to_owned())).collect()
}

#[test]
fn the_verdict_depends_on_vehicle_and_engine() {
    run(async {
        let camry = camry(2014).await;
        let part = part(&word(), "disc").await;
        let vehicle = format!("vehicle={}", camry.id);
        let unknown = fit(&part, &vehicle).await;
        assert_eq!(
            (&unknown["verdict"], &unknown["because"], &unknown["nearest"]),
            (&json!("unknown"), &json!([]), &json!([]))
        );
        assert_eq!(unknown["vehicle"], json!({ "id": camry.id, "label": "2014 Toyota Camry" }));

        let more = json!({ "engine": "2.5L L4", "position": "Front", "perVehicle": 2 });
        set(&part, &json!([with(camrys(2012, 2014), &more)])).await.is(200);
        let asks = fit(&part, &vehicle).await;
        assert_eq!(asks["verdict"], "ask");
        assert_eq!(asks["engines"].as_array().unwrap().len(), 2);
        let fits = fit(&part, &format!("{vehicle}&engine={}", camry.small)).await;
        assert_eq!(fits["verdict"], "yes");
        assert_eq!(fits["engine"]["name"], "2.5 L 4 cyl");
        let because = &fits["because"][0];
        assert_eq!((&because["position"], &because["perVehicle"]), (&json!("front"), &json!(2)));
        assert_eq!((&because["conditions"], &because["source"]), (&json!([]), &json!("Entered by the shop")));
        assert_eq!(because["date"].as_str().unwrap().len(), "2026-11-25".len());

        let does_not = fit(&part, &format!("{vehicle}&engine={}", camry.large)).await;
        assert_eq!((&does_not["verdict"], &does_not["because"]), (&json!("no"), &json!([])));
        assert_eq!(does_not["nearest"][0]["label"], "Toyota Camry 2012–2014, 2.5 L 4 cyl · front · 2 per vehicle");
        let earlier = fit(&part, &format!("vehicle={}", self::camry(2009).await.id)).await;
        assert_eq!((&earlier["verdict"], &earlier["nearest"][0]["yearFrom"]), (&json!("no"), &json!(2012)));

        // Both engines together are every engine.
        let both = [
            with(camrys(2014, 2014), &json!({ "engine": "2.5L" })),
            with(camrys(2014, 2014), &json!({ "engine": "V6" })),
        ];
        set(&part, &json!(both)).await.is(200);
        assert_eq!(verdict(&part, &vehicle).await, "yes");
    });
}

#[test]
fn a_part_may_fit_under_a_condition_or_everywhere() {
    run(async {
        let camry = camry(2014).await;
        let part = part(&word(), "disc").await;
        let query = format!("vehicle={}", camry.id);
        let rows = [
            json!({ "vehicle": camry.id, "condition": "carbon version" }),
            // What is no engine of this vehicle is a condition.
            json!({ "vehicle": camry.id, "engine": "9.9L V12", "condition": "sport package" }),
        ];
        set(&part, &json!(rows)).await.is(200);
        let answer = fit(&part, &query).await;
        assert_eq!(answer["verdict"], "if");
        let conditions = answer["conditions"].as_array().unwrap();
        let mut texts: Vec<&str> = conditions.iter().map(|one| one["text"].as_str().unwrap()).collect();
        texts.sort_unstable();
        assert_eq!(texts, ["9.9L V12; sport package", "carbon version"]);
        assert!(conditions.iter().all(|one| one["id"].as_i64().unwrap() > 0));

        let mut sent = draft(500, 10.0);
        sent["universal"] = json!(true);
        assert_eq!(verdict(&add(&sent).await, &query).await, "universal");
    });
}

/// A part for each verdict about a Camry, whose names begin with a word.
async fn one_of_each(word: &str) {
    let (this, other) = (camrys(2014, 2014), camrys(2009, 2009));
    let mut universal = draft(500, 10.0);
    universal["name"] = json!(format!("{word} e universal"));
    universal["universal"] = json!(true);
    add(&universal).await;
    for (name, fitment) in [
        ("a if", Some(with(this.clone(), &json!({ "condition": "carbon version", "position": "rear" })))),
        ("b yes", Some(with(this.clone(), &json!({ "position": "front" })))),
        ("c ask", Some(with(this.clone(), &json!({ "engine": "2.5L", "position": "front" })))),
        ("d no", Some(other)),
        ("f unknown", None),
    ] {
        let part = part(word, name).await;
        if let Some(fitment) = fitment {
            set(&part, &json!([fitment])).await.is(200);
        }
    }
}

#[test]
fn a_list_for_a_vehicle_has_what_fits_first_and_never_what_does_not() {
    run(async {
        let (camry, word) = (camry(2014).await, word());
        one_of_each(&word).await;
        let list = format!("q={word}&sort=name&vehicle={}", camry.id);
        let sure = [("b yes", "yes"), ("e universal", "universal")];
        let perhaps = [("a if", "if"), ("c ask", "ask")];
        let unknown = [("f unknown", "unknown")];
        assert_eq!(listed(&format!("{list}&fit=yes")).await, pairs(&sure));
        assert_eq!(listed(&list).await, pairs(&[sure, perhaps].concat()));
        assert_eq!(listed(&format!("{list}&fit=if")).await, pairs(&[sure, perhaps].concat()));
        let all = [sure.as_slice(), &perhaps, &unknown].concat();
        assert_eq!(listed(&format!("{list}&fit=all")).await, pairs(&all));
        let with_engine = [("b yes", "yes"), ("c ask", "yes"), ("e universal", "universal"), ("a if", "if")];
        assert_eq!(listed(&format!("{list}&engine={}", camry.small)).await, pairs(&with_engine));
        let with_other = [("b yes", "yes"), ("e universal", "universal"), ("a if", "if")];
        assert_eq!(listed(&format!("{list}&engine={}", camry.large)).await, pairs(&with_other));
        // Without a vehicle nothing is said of any.
        assert!(listed(&format!("q={word}&fit=yes")).await.iter().all(|(_, verdict)| verdict.is_empty()));
    });
}

#[test]
fn a_list_for_a_vehicle_is_narrowed_by_position_and_counted() {
    run(async {
        let (camry, word) = (camry(2014).await, word());
        one_of_each(&word).await;
        let list = format!("q={word}&sort=name&vehicle={}", camry.id);
        let front = [("b yes", "yes"), ("c ask", "ask")];
        assert_eq!(listed(&format!("{list}&position=front")).await, pairs(&front));
        assert_eq!(listed(&format!("q={word}&position=rear")).await.len(), 1);
        let facets = get(format!("/products/facets?{list}")).await.is(200).json();
        assert_eq!(facets["total"], 4);
        let position =
            json!([{ "value": "front", "name": "front", "count": 2 }, { "value": "rear", "name": "rear", "count": 1 }]);
        assert_eq!(facets["facets"]["position"], position);
        let fitting = get(format!("/products/facets?{list}&fit=all&position=rear")).await.is(200).json();
        assert_eq!((&fitting["total"], &fitting["facets"]["position"]), (&json!(1), &position));
        let item = &get(format!("/products?{list}&position=rear")).await.is(200).json()[0];
        assert_eq!(item["fit"]["conditions"][0]["text"], "carbon version");
    });
}

#[test]
fn a_list_for_a_vehicle_is_the_same_page_by_page() {
    run(async {
        let (camry, word) = (camry(2014).await, word());
        one_of_each(&word).await;
        for sort in ["name", "price", "-price", "newest"] {
            let whole = listed(&format!("q={word}&sort={sort}&fit=all&vehicle={}", camry.id)).await;
            let mut path = format!("/products?q={word}&sort={sort}&fit=all&vehicle={}&limit=2", camry.id);
            let mut seen = Vec::new();
            loop {
                seen.extend(listed(path.strip_prefix("/products?").unwrap()).await);
                let page = get(&path).await.is(200);
                assert_eq!(page.header("x-total-count"), "5");
                let Some(next) = page.header("link").strip_prefix('<').and_then(|link| link.split('>').next()) else {
                    break;
                };
                path = next.to_owned();
            }
            assert_eq!(seen, whole, "{sort}");
        }
    });
}

#[test]
fn the_vehicles_of_a_part_are_ranges_that_nobody_widened() {
    run(async {
        let part = part(&word(), "disc").await;
        let rows = [
            with(camrys(2007, 2008), &json!({ "position": "front", "perVehicle": 2 })),
            with(camrys(2010, 2011), &json!({ "position": "front", "perVehicle": 2 })),
            json!({ "make": "chevy", "model": "camaro", "yearFrom": 2001, "yearTo": 2011 }),
        ];
        set(&part, &json!(rows)).await.is(200);
        let path = format!("/products/{part}/vehicles");
        let answer = get(&path).await.is(200);
        let labels = |answer: &Answer| {
            let list = answer.json();
            list.as_array().unwrap().iter().map(|one| one["label"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let all = labels(&answer);
        assert_eq!(
            all,
            [
                "Chevrolet Camaro 2001–2002",
                "Chevrolet Camaro 2010–2011",
                "Toyota Camry 2007–2008 · front · 2 per vehicle",
                "Toyota Camry 2010–2011 · front · 2 per vehicle",
            ]
        );
        assert_eq!(answer.header("x-total-count"), "4");
        get(&path).header("if-none-match", answer.header("etag")).await.is(304);
        assert_eq!(labels(&get(format!("{path}?make=toyota")).await.is(200)), all[2..]);
        let toyota = get("/vehicles/makes?year=2014").await.is(200).json();
        let toyota = toyota.as_array().unwrap().iter().find(|one| one["name"] == "Toyota").unwrap()["id"].to_string();
        assert_eq!(labels(&get(format!("{path}?make={toyota}")).await.is(200)), all[2..]);
        assert_eq!(labels(&get(format!("{path}?make=nobody")).await.is(200)), [] as [&str; 0]);

        let mut next = format!("{path}?limit=3");
        let mut seen = Vec::new();
        loop {
            let page = get(&next).await.is(200);
            seen.extend(labels(&page));
            let Some(link) = page.header("link").strip_prefix('<').and_then(|link| link.split('>').next()) else {
                break;
            };
            next = link.to_owned();
        }
        assert_eq!(seen, all);
        get(format!("{path}?cursor=x")).await.is(422);
        get(format!("{path}?limit=0")).await.is(422);
    });
}

#[test]
fn what_the_shop_entered_is_read_back_as_it_may_be_sent_again() {
    run(async {
        let part = part(&word(), "disc").await;
        let admin = admin().await;
        let path = format!("/products/{part}/fitments");
        let read = async || admin.send(get(&path)).await.is(200).json();
        assert_eq!(read().await, json!([]));
        let rows = [
            with(camrys(2010, 2011), &json!({ "engine": "2.5L L4", "position": "rear left", "perVehicle": 4 })),
            with(camrys(2010, 2014), &json!({ "condition": "carbon version" })),
            // The same twice is once.
            with(camrys(2010, 2012), &json!({ "condition": "carbon version" })),
        ];
        set(&part, &json!(rows)).await.is(200);
        let entered = read().await;
        assert_eq!(
            entered,
            json!([
                with(camrys(2010, 2014), &json!({ "perVehicle": 1, "condition": "carbon version" })),
                with(camrys(2010, 2011), &json!({ "engine": "2.5 L 4 cyl", "position": "rear left", "perVehicle": 4 })),
            ])
        );
        set(&part, &entered).await.is(200);
        assert_eq!(read().await, entered);
        set(&part, &json!([])).await.is(200);
        assert_eq!(read().await, json!([]));
        delete(format!("/products/{part}")).token(&admin.token).await.is(200);
        admin.send(get(&path)).await.is(404);
        set(&part, &entered).await.is(404);
        get(format!("/products/{part}/vehicles")).await.is(404);
        get(format!("/products/{part}/fit?vehicle={}", camry(2014).await.id)).await.is(404);
    });
}

#[test]
fn fitments_that_make_no_sense_are_refused_each_at_its_field() {
    run(async {
        let part = part(&word(), "disc").await;
        for (fitment, field, says) in [
            (with(camrys(2014, 2012), &json!({})), "yearTo", "before the first"),
            (with(camrys(1950, 2011), &json!({})), "yearTo", "at most 60 apart"),
            (with(camrys(2014, 99_999), &json!({})), "yearTo", "must be a year"),
            (with(camrys(1960, 1965), &json!({})), "yearFrom", "Toyota Camry was sold from 1983"),
            (with(camrys(2014, 2014), &json!({ "make": "Toyotta" })), "make", "Did you mean Toyota, "),
            (with(camrys(2014, 2014), &json!({ "model": "Camrey" })), "model", "Did you mean Camry, "),
            (with(camrys(2014, 2014), &json!({ "make": " " })), "make", "is required"),
            (with(camrys(2014, 2014), &json!({ "yearFrom": null })), "yearFrom", "is required"),
            (json!({}), "make", "is required"),
            (json!({ "vehicle": 1 }), "vehicle", "don't know this vehicle"),
            (json!({ "vehicle": i64::MAX }), "vehicle", "don't know this vehicle"),
            (with(camrys(2014, 2014), &json!({ "position": "middle" })), "position", "must be front"),
            (with(camrys(2014, 2014), &json!({ "perVehicle": 0 })), "perVehicle", "between 1 and 1000"),
            (with(camrys(2014, 2014), &json!({ "perVehicle": 1001 })), "perVehicle", "between 1 and 1000"),
            (with(camrys(2014, 2014), &json!({ "condition": "x".repeat(401) })), "condition", "400"),
            (with(camrys(2014, 2014), &json!({ "engine": "x".repeat(81) })), "engine", "80"),
        ] {
            let refused = set(&part, &json!([camrys(2014, 2014), fitment])).await.is(422).json();
            assert_eq!(refused["errors"][0]["field"], format!("fitments[1].{field}"), "{fitment}");
            let message = refused["errors"][0]["message"].as_str().unwrap();
            assert!(message.contains(says), "{message}");
        }
        let twice = [camrys(2014, 2014), with(camrys(2013, 2014), &json!({ "perVehicle": 2 }))];
        let refused = set(&part, &json!(twice)).await.is(422).json();
        assert_eq!(refused["errors"][0]["field"], "fitments[1].perVehicle");
        set(&part, &json!(vec![json!({ "vehicle": 1 }); 501])).await.is(422);
        set(&part, &json!(vec![camrys(2014, 2014); 10_000])).await.is(413);
        // No more than five thousand vehicles, however few ranges they are.
        let many: Vec<Value> =
            (0..300).map(|nth| with(camrys(1983, 2020), &json!({ "condition": format!("version {nth}") }))).collect();
        let refused = set(&part, &json!(many)).await.is(422).json();
        assert!(refused["errors"][0]["message"].as_str().unwrap().contains("5000"), "{refused}");
        for body in [json!({}), json!({ "fitments": null }), json!({ "fitments": 1 }), json!({ "fitments": [1] })] {
            admin().await.send(put(format!("/products/{part}/fitments"), &body)).await.is(422);
        }
        assert_eq!(get(format!("/products/{part}/vehicles")).await.is(200).json(), json!([]), "nothing was written");
    });
}

#[test]
fn a_vehicle_that_is_none_is_refused_by_every_question() {
    run(async {
        let (camry, other) = (camry(2014).await, camry(2011).await);
        let part = part(&word(), "disc").await;
        for (query, field) in [
            ("vehicle=1".to_owned(), "vehicle"),
            ("vehicle=-1".to_owned(), "vehicle"),
            ("vehicle=new".to_owned(), "vehicle"),
            ("vehicle=99999999999".to_owned(), "vehicle"),
            (format!("vehicle={}&engine={}", camry.id, other.small), "engine"),
            (format!("vehicle={}&engine=0", camry.id), "engine"),
            (format!("vehicle={}&engine=x", camry.id), "engine"),
            (format!("engine={}", camry.small), "engine"),
        ] {
            for path in ["/products", "/products/facets", &format!("/products/{part}/fit")] {
                let refused = get(format!("{path}?{query}")).await.is(422).json();
                assert_eq!(refused["errors"][0]["field"], field, "{path}?{query}");
            }
        }
        get(format!("/products/{part}/fit")).await.is(422);
        for query in ["fit=maybe", "position=middle"] {
            get(format!("/products?{query}")).await.is(422);
        }
        for path in ["0199f3a0-0000-7000-8000-000000000000", "x"] {
            get(format!("/products/{path}/fit?vehicle={}", camry.id)).await.is(404);
            get(format!("/products/{path}/vehicles")).await.is(404);
            set(path, &json!([])).await.is(404);
        }
        // As a form sends what was not chosen.
        get(format!("/products?vehicle=&engine=&fit=&position=&q={part}")).await.is(200);
    });
}

#[test]
fn fitments_are_the_admins_to_change() {
    run(async {
        let part = part(&word(), "disc").await;
        let path = format!("/products/{part}/fitments");
        let customer = User::new().await;
        for call in [get(&path), put(&path, &json!({ "fitments": [] })), get("/fitments/coverage")] {
            customer.send(call).await.is(403);
        }
        call("PUT", &path).json(&json!({ "fitments": [] })).await.is(401);
    });
}

#[test]
fn coverage_tells_for_how_many_vehicles_there_is_no_part() {
    run(async {
        let admin = admin().await;
        let name = format!("Type {}", word());
        admin.send(call("POST", "/part-types").json(&json!({ "name": name, "category": "BRAKES" }))).await.is(201);
        let of_type = async || {
            let all = admin.send(get("/fitments/coverage")).await.is(200).json();
            all.as_array().unwrap().iter().find(|one| one["name"] == name.as_str()).cloned()
        };
        let mut sent = draft(500, 10.0);
        sent["partType"] = json!(name);
        let part = add(&sent).await;
        assert_eq!(of_type().await, None, "nobody says what parts of this type fit");
        set(&part, &json!([camrys(2010, 2014), with(camrys(2012, 2014), &json!({ "position": "rear" }))]))
            .await
            .is(200);
        let covered = of_type().await.unwrap();
        let count = |of: &Value, field: &str| of[field].as_u64().unwrap();
        assert_eq!(count(&covered, "vehicles") - count(&covered, "without"), 5);
        let makes = covered["makes"].as_array().unwrap();
        let toyota = makes.iter().find(|make| make["name"] == "Toyota").unwrap();
        assert_eq!(count(toyota, "vehicles") - count(toyota, "without"), 5);
        let honda = makes.iter().find(|make| make["name"] == "Honda").unwrap();
        assert_eq!(honda["vehicles"], honda["without"]);

        sent["universal"] = json!(true);
        sent["name"] = json!(format!("{} everywhere", word()));
        let everywhere = add(&sent).await;
        assert_eq!(of_type().await.unwrap()["without"], 0);
        for id in [part, everywhere] {
            delete(format!("/products/{id}")).token(&admin.token).await.is(200);
        }
        assert_eq!(of_type().await, None, "no such part is for sale");
    });
}
