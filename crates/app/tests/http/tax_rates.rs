//! Tax rates, one by one and as files, and which products are taxed.
//!
//! All tests share a shop, so that rates are those of countries where nobody orders.

use serde_json::{Value, json};

use crate::fixtures::{add, admin, draft, inserted, unique};
use crate::server::{Call, call, delete, get, post, put, run};

fn rate(region: &str, from: &str, until: Option<&str>) -> Value {
    json!({"country": "AQ", "region": region, "name": "Ice tax", "basisPoints": 825, "validFrom": from, "validUntil": until})
}

fn region() -> String {
    format!("Station {}", unique())
}

async fn of_region(region: &str) -> Vec<Value> {
    let all = admin().await.send(get("/tax-rates")).await.is(200).json();
    all.as_array().unwrap().iter().filter(|rate| rate["region"] == region).cloned().collect()
}

fn import(query: &str, file: &str) -> Call {
    call("POST", format!("/tax-rates/import{query}")).body("text/csv", file)
}

#[test]
fn a_rate_reads_back_and_shares_no_day_with_another_of_its_place() {
    run(async {
        let (boss, region) = (admin().await, region());
        let first = rate(&region, "2025-01-01", Some("2025-12-31"));
        let id = inserted(&boss.send(post("/tax-rates", &first)).await);
        let mut expected = first.clone();
        expected["_id"] = json!(id);
        assert_eq!(of_region(&region).await, [expected]);

        let lower = region.to_lowercase();
        for overlapping in [rate(&region, "2025-12-31", None), rate(&lower, "2020-01-01", None)] {
            let refused = boss.send(post("/tax-rates", &overlapping)).await.refused(409);
            assert_eq!(refused["type"], "/problems/rates-overlap");
        }
        let next = inserted(&boss.send(post("/tax-rates", &rate(&region, "2026-01-01", None))).await);
        let path = format!("/tax-rates/{next}");
        boss.send(put(&path, &rate(&region, "2025-06-01", None))).await.refused(409);
        boss.send(put(&path, &rate(&region, "2027-01-01", None))).await.is(200);
        assert_eq!(of_region(&region).await[1]["validFrom"], "2027-01-01");
        boss.send(delete(&path)).await.is(200);
        boss.send(delete(&path)).await.is(404);
        boss.send(put(&path, &first)).await.is(404);
    });
}

#[test]
fn rates_that_make_no_sense_are_refused_field_by_field() {
    run(async {
        for (change, field) in [
            (json!({"country": null}), "country"),
            (json!({"country": "Germany"}), "country"),
            (json!({"country": "US", "region": "Bavaria"}), "region"),
            (json!({"name": ""}), "name"),
            (json!({"basisPoints": 10_001}), "basisPoints"),
            (json!({"basisPoints": -1}), "basisPoints"),
            (json!({"validFrom": "26.11.2026"}), "validFrom"),
            (json!({"validFrom": "2026-02-30"}), "validFrom"),
            (json!({"validUntil": "2024-12-31"}), "validUntil"),
            (json!({"validUntil": "never"}), "validUntil"),
        ] {
            let mut sent = rate(&region(), "2025-01-01", None);
            sent.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            let refused = admin().await.send(post("/tax-rates", &sent)).await.refused(422);
            assert_eq!(refused["errors"][0]["field"], field, "{change}: {refused}");
        }
    });
}

#[test]
fn a_file_is_imported_whole_or_not_at_all() {
    run(async {
        let (boss, region) = (admin().await, region());
        let good = format!(
            "Country;Region;Name;Basis_Points;Valid_From;Valid_Until\nAQ;{region};Ice tax;825;2025-01-01;2025-12-31\n\
             aq;{region};Ice tax;900;2026-01-01;\n"
        );
        let report = boss.send(import("?dryRun=true", &good)).await.is(200).json();
        assert_eq!(report, json!({"dryRun": true, "added": 2, "findings": []}));
        assert_eq!(of_region(&region).await.len(), 0);
        boss.send(import("", &good)).await.is(200);
        assert_eq!(of_region(&region).await.len(), 2);

        let bad = format!(
            "country,region,name,basis_points,valid_from,valid_until\n\
             AQ,{region} B,Tax,100,2025-01-01,\n\
             AQ,{region} B,Tax,100,2026-01-01,\n\
             AQ,{region},Tax,100,2026-06-01,\n\
             XX,,Tax,much,2026-06-01,\n"
        );
        let refused = boss.send(import("", &bad)).await.refused(422);
        let findings: Vec<(u64, &str)> = refused["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|finding| (finding["line"].as_u64().unwrap(), finding["field"].as_str().unwrap()))
            .collect();
        assert_eq!(findings, [(3, "valid_from"), (4, "valid_from"), (5, "basis_points")], "{refused}");
        assert_eq!(of_region(&format!("{region} B")).await.len(), 0);

        boss.send(import("", "country,name\nAQ,Tax\n")).await.refused(422);
        boss.send(call("POST", "/tax-rates/import").json(&json!({}))).await.refused(415);
        boss.send(import("?dryRun=perhaps", &good)).await.refused(422);
    });
}

#[test]
fn the_sample_of_the_european_union_can_be_imported() {
    run(async {
        let sample = get("/tax-rates/samples/eu.csv").await.is(200);
        assert!(sample.header("content-disposition").contains("eu-vat-2025-08-01.csv"));
        let file = sample.text();
        assert_eq!(file.lines().count(), 28, "a header and 27 member states");
        assert!(file.contains("\nDE,,VAT,1900,2025-08-01,\n"));
        let report = admin().await.send(import("?dryRun=true", &file)).await.is(200).json();
        assert_eq!(report["added"], 27);
    });
}

#[test]
fn a_product_is_taxed_unless_an_admin_says_that_it_is_not() {
    run(async {
        let id = add(&draft(100, 3.0)).await;
        let path = format!("/products/{id}");
        assert_eq!(get(&path).await.json()["taxClass"], "standard");
        let edit = json!({"taxClass": "none", "seen": {"taxClass": "standard"}});
        admin().await.send(call("PATCH", &path).json(&edit)).await.is(200);
        assert_eq!(get(&path).await.json()["taxClass"], "none");
        let stale = json!({"taxClass": "standard", "seen": {"taxClass": "standard"}});
        admin().await.send(call("PATCH", &path).json(&stale)).await.refused(409);
        let plain = json!({"taxClass": null});
        assert_eq!(admin().await.send(call("PATCH", &path).json(&plain)).await.is(200).json()["modifiedCount"], 1);
        assert_eq!(get(&path).await.json()["taxClass"], "standard");
        let refused = admin().await.send(call("PATCH", &path).json(&json!({"taxClass": "reduced"}))).await.refused(422);
        assert_eq!(refused["errors"][0]["field"], "taxClass");
    });
}
