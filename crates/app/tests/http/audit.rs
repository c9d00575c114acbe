//! The trail of what admins changed.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::fixtures::{User, admin, draft, fresh_key, inserted, order, pay, product, some_order, unique};
use crate::server::{Demo, all, call, delete, get, patch, post, put, run};

/// The entries that a filter finds, oldest first.
async fn entries(reader: &User, filter: &str) -> Vec<Value> {
    let listed = reader.send(get(format!("/audit?{filter}"))).await.is(200).json();
    let mut entries = listed.as_array().unwrap().clone();
    entries.reverse();
    entries
}

/// Kind, change, target, parent, before and after of the only entry that an admin's operation has left.
async fn the_entry(boss: &User, operation: &str) -> Value {
    let found = entries(boss, &format!("email={}&operation={operation}", boss.email)).await;
    assert_eq!(found.len(), 1, "{operation}: {found:#?}");
    found[0].clone()
}

fn what(entry: &Value) -> Value {
    json!([entry["kind"], entry["change"], entry["target"], entry["parent"], entry["before"], entry["after"]])
}

#[test]
fn an_entry_says_who_did_what_and_from_where() {
    run(async {
        let boss = User::new_admin().await;
        let part = product(500, 3.0).await;
        let name = format!("Renamed {}", unique());
        let before = get(format!("/products/{part}")).await.json()["name"].clone();
        let agent = "Some browser ".repeat(40);
        let call = boss.send(patch(format!("/products/{part}"), &json!({"name": name})));
        let answer = call.header("user-agent", agent.clone()).from([127, 9, 8, 7]).await.is(200);
        let entry = the_entry(&boss, "editProduct").await;
        assert_eq!(what(&entry), json!(["product", "changed", part, null, {"name": before}, {"name": name}]));
        for (field, expected) in [
            ("email", json!(boss.email)),
            ("method", json!("PATCH")),
            ("route", json!("/products/{id}")),
            ("clientAddress", json!("127.9.8.7")),
            ("userAgent", json!(agent[..200])),
            ("requestId", json!(answer.header("x-request-id"))),
        ] {
            assert_eq!(entry[field], expected, "{field}");
        }
        assert!(entry["at"].as_str().unwrap().ends_with('Z'), "{entry}");
        assert!(entry["accountId"].as_str().unwrap().len() == 36, "{entry}");
        assert!(entry["hash"].as_str().unwrap().len() == 64, "{entry}");
    });
}

#[test]
fn a_part_has_its_whole_history_with_what_belongs_to_it() {
    run(async {
        let boss = User::new_admin().await;
        let sent = draft(500, 3.0);
        let part = inserted(&boss.send(post("/products", &sent)).await);
        boss.send(put(format!("/products/{part}/images"), &json!({"images": ["/images/a.webp", "/images/b.webp"]})))
            .await
            .is(200);
        boss.send(post(format!("/products/{part}/stock-corrections"), &json!({"delta": -2, "reason": "breakage"})))
            .await
            .is(201);
        let history = entries(&boss, &format!("target={part}")).await;
        let added = history.iter().find(|entry| entry["change"] == "added" && entry["kind"] == "product").unwrap();
        assert_eq!(added["before"], Value::Null);
        assert_eq!((&added["after"]["name"], &added["after"]["price_cents"]), (&sent["name"], &json!(300)));
        for secret in ["once_key", "once_fingerprint", "search_key", "name_key"] {
            assert_eq!(added["after"].get(secret), None, "{secret}");
        }
        let picture = history.iter().find(|entry| entry["kind"] == "picture").unwrap();
        assert_eq!((&picture["target"], &picture["parent"]), (&Value::Null, &json!(part)));
        let correction = history.iter().find(|entry| entry["kind"] == "stock_correction").unwrap();
        assert_eq!((&correction["after"]["delta"], &correction["after"]["reason"]), (&json!(-2), &json!("breakage")));
        let stock = history.iter().find(|entry| entry["operation"] == "correctStock" && entry["kind"] == "product");
        assert_eq!(
            what(stock.unwrap()),
            json!(["product", "changed", part, null, {"available": 500}, {"available": 498}])
        );
    });
}

#[test]
fn each_kind_of_setting_is_noted_whole_when_it_comes_and_goes() {
    run(async {
        let boss = User::new_admin().await;
        let name = format!("Brand {}", unique());
        let brand = inserted(&boss.send(post("/brands", &json!({"name": name}))).await);
        let whole = json!({"id": brand.parse::<i64>().unwrap(), "name": name});
        assert_eq!(what(&the_entry(&boss, "addBrand").await), json!(["brand", "added", brand, null, null, whole]));
        boss.send(put(format!("/brands/{brand}"), &json!({"name": format!("{name} AG")}))).await.is(200);
        let renamed = json!(["brand", "changed", brand, null, {"name": name}, {"name": format!("{name} AG")}]);
        assert_eq!(what(&the_entry(&boss, "renameBrand").await), renamed);
        boss.send(delete(format!("/brands/{brand}"))).await.is(200);
        let whole = json!({"id": brand.parse::<i64>().unwrap(), "name": format!("{name} AG")});
        assert_eq!(what(&the_entry(&boss, "removeBrand").await), json!(["brand", "removed", brand, null, whole, null]));

        let sent = json!({"url": format!("https://erp.example.com/{}", unique()), "events": ["order.paid"]});
        let added = boss.send(post("/webhook-endpoints", &sent)).await.is(201).json();
        let entry = the_entry(&boss, "addSubscription").await;
        assert_eq!((&entry["kind"], &entry["target"]), (&json!("webhook_subscription"), &added["_id"]));
        assert_eq!(entry["after"]["topics"], json!(["order.paid"]));
        assert_eq!(entry["after"].get("secret"), None, "{entry}");
    });
}

#[test]
fn an_account_is_noted_without_its_secrets() {
    run(async {
        let (boss, other) = (User::new_admin().await, User::new().await);
        boss.send(call("PUT", format!("/user/admin/{}", other.email))).await.is(200);
        let entry = the_entry(&boss, "grantAdmin").await;
        assert_eq!((&entry["before"], &entry["after"]), (&json!({"role": "customer"}), &json!({"role": "admin"})));
        assert_eq!(entry["kind"], "account");
        boss.send(call("DELETE", format!("/user/admin/{}", other.email))).await.is(200);
        boss.send(delete(format!("/user/{}", other.email))).await.is(200);
        let removed = entries(&boss, &format!("email={}&operation=removeAccount&kind=account", boss.email)).await;
        assert_eq!(removed.len(), 1, "{removed:#?}");
        let text = removed[0].to_string();
        for secret in ["password", "argon2", "google_subject"] {
            assert!(!text.contains(secret), "{text}");
        }
    });
}

#[test]
fn a_refund_and_a_shipment_are_noted_with_their_order() {
    run(async {
        let (boss, customer) = (User::new_admin().await, User::new().await);
        let placed = order(&customer, &product(500, 2.5).await, 60).await;
        pay(&customer, &placed).await;
        boss.send(put(format!("/orders/status/{placed}"), &json!({}))).await.is(200);
        let shipped = entries(&boss, &format!("target={placed}&operation=shipOrder&kind=order")).await;
        assert_eq!(
            (&shipped[0]["before"]["fulfilment"], &shipped[0]["after"]["fulfilment"]),
            (&json!("pending"), &json!("shipped"))
        );
        boss.send(post(format!("/orders/{placed}/refund"), &json!({}))).await.is(200);
        let refunds = entries(&boss, &format!("target={placed}&operation=refundOrder&kind=refund")).await;
        assert_eq!((&refunds[0]["change"], &refunds[0]["after"]["amount_cents"]), (&json!("added"), &json!(15_000)));
        assert_eq!(refunds[0]["parent"], json!(placed));
        // What the customer did has left nothing.
        let of_customer = entries(&boss, &format!("email={}", customer.email)).await;
        assert_eq!(of_customer, Vec::<Value>::new());
    });
}

#[test]
fn what_an_admin_does_as_a_customer_is_not_noted() {
    run(async {
        let (boss, customer) = (User::new_admin().await, User::new().await);
        let (own, others) = (some_order(&boss).await, some_order(&customer).await);
        pay(&boss, &some_order(&boss).await).await;
        boss.send(delete(format!("/orders/{own}"))).await.is(200);
        boss.send(post("/lists", &json!({"name": "Mine"}))).await.is(201);
        boss.send(post("/reviews", &json!({"name": "A", "rating": 5, "details": "B"}))).await.is(201);
        call("PATCH", "/auth/me").json(&json!({"displayName": "Ad Min"})).session(&boss.session).await.is(200);
        let mine = format!("email={}", boss.email);
        assert_eq!(entries(&boss, &mine).await, Vec::<Value>::new());
        boss.send(delete(format!("/orders/{others}"))).await.is(200);
        let noted = entries(&boss, &mine).await;
        assert!(noted.iter().any(|entry| entry["kind"] == "order" && entry["target"] == *others), "{noted:#?}");
        // The units that came back, in the same transaction.
        assert!(noted.iter().any(|entry| entry["kind"] == "product"), "{noted:#?}");
    });
}

#[test]
fn what_was_refused_or_repeated_is_not_noted_again() {
    run(async {
        let boss = User::new_admin().await;
        let name = format!("Brand {}", unique());
        let (key, sent) = (fresh_key(), json!({"name": name}));
        let first = inserted(&boss.send(post("/brands", &sent)).key(&key).await);
        assert_eq!(inserted(&boss.send(post("/brands", &sent)).key(&key).await), first);
        boss.send(put(format!("/brands/{first}"), &sent)).await.is(200);
        let method =
            json!({"name": format!("M {}", unique()), "countries": ["AQ"], "bands": [{"upToGrams": 1, "price": 1}]});
        boss.send(post("/shipping-methods", &method)).await.is(201);
        boss.send(post("/shipping-methods", &method)).await.refused(409);
        let noted = entries(&boss, &format!("email={}", boss.email)).await;
        let operations: Vec<_> = noted.iter().map(|entry| entry["operation"].as_str().unwrap()).collect();
        assert_eq!(operations, ["addBrand", "addShippingMethod"], "{noted:#?}");
    });
}

#[test]
fn an_export_is_noted_with_what_was_asked_for() {
    run(async {
        let boss = User::new_admin().await;
        let file = boss.send(get("/allOrders.csv?q=brake%20disc&state=paid%27")).await;
        assert_eq!(file.status, 422);
        boss.send(get("/allOrders.csv?q=brake%20disc&state=ready")).await.is(200);
        let entry = the_entry(&boss, "exportOrders").await;
        assert_eq!(what(&entry), json!(["export", "done", null, null, null, {"q": "brake disc", "state": "ready"}]));
    });
}

#[test]
fn the_trail_is_filtered_by_time_paged_and_handed_out_as_a_file() {
    run(async {
        let boss = User::new_admin().await;
        let mine = format!("email={}", boss.email);
        for n in 0..5 {
            boss.send(post("/synonyms", &json!({"word": format!("=word{}x{n}", unique()), "means": "brake"})))
                .await
                .is(201);
        }
        let noted = entries(&boss, &mine).await;
        assert_eq!(noted.len(), 5);
        let numbers: Vec<_> = noted.iter().map(|entry| entry["number"].as_u64().unwrap()).collect();
        assert!(numbers.is_sorted(), "{numbers:?}");
        let third = noted[2]["at"].as_str().unwrap();
        assert_eq!(entries(&boss, &format!("{mine}&from={third}")).await, noted[2..]);
        assert_eq!(entries(&boss, &format!("{mine}&until={third}")).await, noted[..2]);
        assert_eq!(entries(&boss, &format!("{mine}&until=2001-01-01T00:00:00Z")).await, Vec::<Value>::new());
        assert_eq!(entries(&boss, &format!("{mine}&kind=product")).await, Vec::<Value>::new());

        let page = boss.send(get(format!("/audit?{mine}&limit=2"))).await.is(200);
        assert_eq!(page.header("x-total-count"), "5");
        let link = page.header("link").split(['<', '>']).nth(1).unwrap().to_owned();
        let next = boss.send(get(link)).await.is(200).json();
        assert_eq!(next, json!([noted[2], noted[1]]));
        let whole = boss.send(get("/audit?limit=1")).await.is(200);
        assert!(whole.header("x-total-count").parse::<u64>().unwrap() >= *numbers.last().unwrap());

        let file = boss.send(get(format!("/audit.csv?{mine}"))).await.is(200);
        let text = file.text();
        assert!(
            text.starts_with("number,at,email,accountId,operation,method,route,kind,change,target,parent,"),
            "{text}"
        );
        assert_eq!(text.lines().count(), 6, "{text}");
        for wrong in ["from=yesterday", "until=-000001-01-01T00:00:00Z", "email=nobody", "limit=0", "target=a%00b"] {
            boss.send(get(format!("/audit?{wrong}"))).await.is(422);
        }
    });
}

/// What `driveline audit verify` prints of a demo's trail, and its exit code.
fn verify(data_dir: &Path, expect: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_driveline"));
    command.args(["audit", "verify", "--data-dir"]).arg(data_dir);
    for mark in expect {
        command.args(["--expect", mark]);
    }
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text.into_owned())
}

/// Statements of somebody who owns the database and knows what they do.
async fn tamper(shop: &Demo, statements: &str) {
    let off = "ALTER TABLE audit_entries DISABLE TRIGGER USER; ALTER TABLE audit_head DISABLE TRIGGER USER;";
    let on = "ALTER TABLE audit_entries ENABLE TRIGGER USER; ALTER TABLE audit_head ENABLE TRIGGER USER;";
    drop(shop.hold(&format!("{off} {statements}; {on}")).await);
}

#[test]
fn tampering_with_the_trail_is_found_and_named() {
    run(async {
        let shop = Demo::open(&[]);
        let boss = User::log_in_at(&shop, "admin@example.com", "demo-password").await;
        let head = async || {
            let head = boss.send(get("/audit/head")).at(&shop).await.is(200).json();
            format!("{}:{}", head["number"], head["hash"].as_str().unwrap())
        };
        let add = (0..12)
            .map(|n| boss.send(post("/synonyms", &json!({"word": format!("word{n}"), "means": "brake"}))).at(&shop));
        for answer in all(add).await {
            answer.is(201);
        }
        let end = head().await;
        let (code, text) = verify(&shop.data_dir, &[&end]);
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains("12 entries, and every one fits") && text.contains(&end), "{text}");

        let keep =
            "CREATE TABLE kept AS SELECT * FROM audit_entries; CREATE TABLE kept_head AS SELECT * FROM audit_head";
        drop(shop.hold(keep).await);
        let restore = "DELETE FROM audit_entries; INSERT INTO audit_entries SELECT * FROM kept;
            UPDATE audit_head SET number = kept_head.number, hash = kept_head.hash FROM kept_head";
        for (statements, expected) in [
            (
                "UPDATE audit_entries SET after = replace(after, 'brake', 'break') WHERE number = 7",
                "entry 7 was changed",
            ),
            ("UPDATE audit_entries SET email = 'nobody@example.com' WHERE number = 3", "entry 3 was changed"),
            ("UPDATE audit_entries SET at = at - interval '1 microsecond' WHERE number = 12", "entry 12 was changed"),
            ("DELETE FROM audit_entries WHERE number = 5", "entry 5 is missing"),
            ("DELETE FROM audit_entries WHERE number = 1", "entry 1 is missing"),
            ("DELETE FROM audit_entries WHERE number > 10", "entries 11 to 12 are missing"),
        ] {
            tamper(&shop, statements).await;
            let (code, text) = verify(&shop.data_dir, &[]);
            assert_eq!(code, Some(1), "{statements}: {text}");
            assert!(text.contains(expected), "{statements}: {text}");
            tamper(&shop, restore).await;
            let (code, text) = verify(&shop.data_dir, &[&end]);
            assert_eq!(code, Some(0), "{text}");
        }
        // Somebody who cuts the head off as well is found out by who kept the mark.
        let cut = "DELETE FROM audit_entries WHERE number > 10;
            UPDATE audit_head SET number = 10, hash = (SELECT hash FROM audit_entries WHERE number = 10)";
        tamper(&shop, cut).await;
        assert_eq!(verify(&shop.data_dir, &[]).0, Some(0));
        let (code, text) = verify(&shop.data_dir, &[&end]);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("entries 11 to 12 are missing"), "{text}");
    });
}

#[test]
fn only_an_admin_reads_the_trail() {
    run(async {
        let customer = User::new().await;
        for path in ["/audit", "/audit.csv", "/audit/head"] {
            get(path).await.is(401);
            customer.send(get(path)).await.is(403);
            admin().await.send(get(format!("{path}?limit=1"))).await.is(200);
        }
    });
}
