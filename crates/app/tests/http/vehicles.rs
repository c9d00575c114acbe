//! Vehicles, engines and VINs.

use serde_json::{Value, json};

use crate::server::{Answer, Demo, call, get, run};

const VIN: &str = "1HGCM82633A004352";

async fn list(path: &str) -> Vec<Value> {
    get(path).await.is(200).json().as_array().unwrap().clone()
}

/// The id of what is called so.
fn named(list: &[Value], name: &str) -> i64 {
    list.iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("no {name}"))["id"].as_i64().unwrap()
}

fn names(list: &[Value]) -> Vec<&str> {
    list.iter().map(|one| one["name"].as_str().unwrap()).collect()
}

fn is_kept_for_a_day(answer: &Answer) {
    assert_eq!(answer.header("cache-control"), "public, max-age=86400, immutable");
    assert!(answer.header("etag").starts_with("W/\""));
}

#[test]
fn one_goes_from_the_year_to_the_engine() {
    run(async {
        let years = list("/vehicles/years").await;
        assert_eq!(
            (&years[0], years.last()),
            (&json!({"id": 2027, "name": "2027"}), Some(&json!({"id": 1981, "name": "1981"})))
        );
        let makes = list("/vehicles/makes?year=2014").await;
        assert!(names(&makes).is_sorted_by_key(|name| name.to_lowercase()));
        let toyota = named(&makes, "Toyota");
        let models = list(&format!("/vehicles/models?year=2014&make={toyota}")).await;
        let camry = models.iter().find(|one| one["name"] == "Camry").unwrap();
        let vehicle = camry["vehicle"].as_i64().unwrap();
        assert!(camry["id"].is_i64());
        let engines = list(&format!("/vehicles/engines?vehicle={vehicle}")).await;
        assert_eq!(names(&engines), ["2.5 L 4 cyl", "3.5 L 6 cyl"]);

        assert!(list("/vehicles/makes?year=1850").await.is_empty());
        assert!(list("/vehicles/models?year=2014&make=99999").await.is_empty());
        assert!(list(&format!("/vehicles/models?year=1850&make={toyota}")).await.is_empty());
        get("/vehicles/engines?vehicle=1").await.is(404);
        get("/vehicles/engines?vehicle=-1").await.is(404);
    });
}

#[test]
fn what_a_list_of_vehicles_needs_has_to_be_there_and_a_number() {
    run(async {
        for (path, field) in [
            ("/vehicles/makes", "year"),
            ("/vehicles/makes?year=", "year"),
            ("/vehicles/makes?year=new", "year"),
            ("/vehicles/makes?year=99999999999", "year"),
            ("/vehicles/models?make=1", "year"),
            ("/vehicles/models?year=2014", "make"),
            ("/vehicles/models?year=2014&make=Toyota", "make"),
            ("/vehicles/engines", "vehicle"),
            ("/vehicles/engines?vehicle=1.5", "vehicle"),
            ("/vehicles", "q"),
            ("/vehicles?vehicle=camry", "vehicle"),
            ("/vehicles?vehicle=1&engine=v6", "engine"),
        ] {
            let problem = get(path).await.is(422).json();
            assert_eq!(problem["errors"][0]["field"], field, "{path}: {problem}");
        }
        let both = get("/vehicles/models").await.is(422).json();
        assert_eq!(both["errors"].as_array().unwrap().len(), 2);
        get(format!("/vehicles?q={}", "a".repeat(101))).await.is(422);
    });
}

#[test]
fn a_vehicle_is_found_by_one_text() {
    run(async {
        let found = list("/vehicles?q=2014%20camry%20v6").await;
        let camry = &found[0];
        assert_eq!(
            (&camry["label"], &camry["year"], &camry["make"], &camry["model"]),
            (&json!("2014 Toyota Camry, 3.5 L 6 cyl"), &json!(2014), &json!("Toyota"), &json!("Camry"))
        );
        let engines = list(&format!("/vehicles/engines?vehicle={}", camry["vehicle"])).await;
        assert_eq!(camry["engine"].as_i64().unwrap(), named(&engines, "3.5 L 6 cyl"));
        assert_eq!(list("/vehicles?q=2014%20camry").await[0].get("engine"), None);
        assert_eq!(list("/vehicles?q=chevy%20f150").await.len(), 0);
        assert_eq!(list("/vehicles?q=toyota").await.len(), 10);
        for nothing in ["", "%20", "2014", "%00%27%22%3C", "%F0%9F%9A%97"] {
            assert_eq!(list(&format!("/vehicles?q={nothing}")).await.len(), 0, "{nothing}");
        }
    });
}

#[test]
fn a_vehicle_that_a_link_names_by_its_id_has_a_name() {
    run(async {
        let camry = list("/vehicles?q=2014%20camry%20v6").await[0].clone();
        let linked = format!("/vehicles?vehicle={}", camry["vehicle"]);
        let named = list(&format!("{linked}&engine={}", camry["engine"])).await;
        assert_eq!(named, [camry]);
        assert_eq!(list(&linked).await[0]["label"], "2014 Toyota Camry");
        get(format!("{linked}&engine=1")).await.is(404);
        get("/vehicles?vehicle=1").await.is(404);
    });
}

#[test]
fn vehicles_are_kept_by_caches_for_a_day() {
    run(async {
        for path in
            ["/vehicles/years", "/vehicles/makes?year=2014", "/vehicles/engines?vehicle=390258", "/vehicles?q=camry"]
        {
            let first = get(path).await.is(200);
            is_kept_for_a_day(&first);
            let again = get(path).header("if-none-match", first.header("etag")).await.is(304);
            is_kept_for_a_day(&again);
            assert!(again.text().is_empty());
        }
    });
}

#[test]
fn a_vin_says_the_vehicle_and_its_engine() {
    run(async {
        let answer = get(format!("/vin/{VIN}")).await.is(200);
        assert_eq!(answer.header("cache-control"), "no-store");
        let accord = answer.json();
        assert_eq!(
            (&accord["vin"], &accord["checkDigit"], &accord["label"], &accord["engineName"]),
            (&json!(VIN), &json!("ok"), &json!("2003 Honda Accord"), &json!("3.0 L 6 cyl"))
        );
        assert_eq!(
            (&accord["year"], &accord["make"], &accord["model"]),
            (&json!(2003), &json!("Honda"), &json!("Accord"))
        );
        assert_eq!((&accord["candidates"], &accord["engines"]), (&json!([]), &json!([])));
        let engines = list(&format!("/vehicles/engines?vehicle={}", accord["vehicle"])).await;
        assert_eq!(accord["engine"].as_i64().unwrap(), named(&engines, "3.0 L 6 cyl"));

        let typed = get("/vin/%201hgcm-8264-3a004352").await.is(200).json();
        assert_eq!((&typed["vin"], &typed["checkDigit"]), (&json!("1HGCM82643A004352"), &json!("wrong")));
        assert_eq!(typed["vehicle"], accord["vehicle"], "a wrong check digit refuses nothing");
    });
}

#[test]
fn a_truck_of_two_decades_has_candidates() {
    run(async {
        let truck = get("/vin/1XK5XB7B5TM305452").await.is(200).json();
        let years: Vec<&Value> = truck["candidates"].as_array().unwrap().iter().map(|one| &one["year"]).collect();
        assert_eq!(years.len(), 2);
        assert!(years.contains(&&json!(1996)) && years.contains(&&json!(2026)), "{years:?}");
        assert_eq!(&truck["year"], years[0]);
    });
}

#[test]
fn what_is_no_vin_or_of_no_vehicle_is_refused() {
    run(async {
        for no_vin in [
            "1",
            "1HGCM82633A00435",
            "1HGCM82633A0043522",
            "1HGCM82633A00435I",
            "1HGCM82633A00435O",
            "%3Cscript%3E",
            "%FF",
        ] {
            let refused = get(format!("/vin/{no_vin}")).await;
            assert!([400, 422].contains(&refused.status), "{no_vin}: {refused}");
        }
        let short = get("/vin/1HGCM82633A00435").await.is(422).json();
        assert_eq!(
            (&short["errors"][0]["field"], &short["message"]),
            (&json!("vin"), &json!("A VIN has 17 letters and digits, this has 16"))
        );
        let honda = get("/vin/1HGZZZZZZ3A004352").await.is(404).json();
        assert_eq!(
            (&honda["make"], &honda["model"], &honda["checkDigit"]),
            (&json!("Honda"), &Value::Null, &json!("wrong"))
        );
        let nobody = get("/vin/ZZZ00000000000000").await.is(404).json();
        assert_eq!(nobody["make"], Value::Null);
        get("/vin/").await.is(404);
        call("POST", format!("/vin/{VIN}")).await.is(405);
    });
}

#[test]
fn a_client_may_have_so_many_vins_read() {
    run(async {
        let demo = Demo::open(&[]);
        let mut refused = None;
        for _ in 0..200 {
            let answer = get(format!("/vin/{VIN}")).at(&demo).await;
            if answer.status == 429 {
                refused = Some(answer);
                break;
            }
        }
        let refused = refused.expect("there is no limit");
        assert!(refused.header("retry-after").parse::<u32>().unwrap() >= 1);
        assert_eq!(refused.header("cache-control"), "no-store");
        get("/vehicles/years").at(&demo).await.is(200);
    });
}

#[test]
fn a_vin_stands_in_its_answer_and_nowhere_else() {
    run(async {
        let log = std::env::temp_dir().join(format!("driveline-vin-{}.log", std::process::id()));
        let demo = Demo::open(&[("RUST_LOG", "trace"), ("LOG_TO", &log.display().to_string())]);
        // One of a vehicle, one of none, one that is none, one under another method, and one that the limit refuses.
        let vins = [VIN, "1HGZZZZZZ3A004352", "1HGCM82633A0043522"];
        for (vin, status) in vins.iter().zip([200, 404, 422]) {
            let answer = get(format!("/vin/{vin}")).at(&demo).await.is(status);
            let elsewhere = status != 200 && answer.text().contains(vin);
            assert!(!elsewhere, "a refusal repeats it: {answer}");
        }
        call("DELETE", format!("/vin/{VIN}")).at(&demo).await.is(405);
        for _ in 0..200 {
            if get(format!("/vin/{VIN}")).at(&demo).await.status == 429 {
                break;
            }
        }
        let metrics = get("/metrics").at(&demo).await.is(200).text();
        demo.crash();
        let output = std::fs::read_to_string(&log).unwrap();
        std::fs::remove_file(&log).unwrap();
        for of_all in [&metrics, &output] {
            assert!(of_all.contains("/vin/{vin}"), "the search itself does not work: {} bytes", of_all.len());
            for vin in vins {
                assert!(!of_all.contains(vin), "{vin} is kept");
            }
        }
    });
}
