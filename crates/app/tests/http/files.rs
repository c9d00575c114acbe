//! Products and orders as CSV files: export, import and refusals.

use serde_json::{Value, json};

use crate::fixtures::{PRODUCT_COLUMNS, User, add, admin, draft, fresh_key, order, pay, purchase, unique};
use crate::server::{Answer, Call, all, call, get, run};

const HEADER: &str = "name,description,category,partNumber,price,availableQty,minOrder,img";

fn in_query(text: &str) -> String {
    text.bytes().fold(String::new(), |written, byte| written + &format!("%{byte:02X}"))
}

fn import(query: &str, file: impl Into<Vec<u8>>) -> Call {
    call("POST", format!("/products.csv{query}")).body("text/csv", file)
}

/// A file of products that only a search for `word` finds.
fn file(word: &str, rows: &[&str]) -> String {
    rows.iter().fold(HEADER.to_owned(), |file, row| file + "\r\n" + &row.replace("{word}", word))
}

fn good(nth: u32) -> String {
    format!("{{word}} {nth},A part.,BRAKES,TP-{nth},2.50,100,50,/pictures/{nth}.webp")
}

async fn found(word: &str) -> Vec<Value> {
    let listed = get(format!("/products?q={}&sort=name", in_query(word))).await.is(200).json();
    listed.as_array().unwrap().clone()
}

async fn export(path: &str) -> Answer {
    admin().await.send(get(path)).await.is(200)
}

/// The cells of a file, read by a minimal RFC 4180 reader.
fn cells(file: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut rest = file.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' if quoted && rest.peek() == Some(&'"') => {
                rest.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !quoted => {}
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            c => cell.push(c),
        }
    }
    assert!(!quoted && row.is_empty() && cell.is_empty(), "the last line is not terminated");
    rows
}

#[test]
fn exported_products_can_be_imported_again_unchanged() {
    run(async {
        let word = format!("file{}x", unique());
        let names = [
            "plain",
            "a, b; c",
            "12\" rim \"forged\"",
            "two\nlines",
            "=SUM(A1:A9)",
            "+1",
            "-1",
            "@cmd",
            "'=1",
            "'quoted'",
            "Bob;=cmd|' /C calc'!A0",
            "Street 1\n=HYPERLINK(A1)",
            "tab\t@x",
            "＝1+1",
            "Größe 🚗",
            "<b>&amp;",
        ];
        for (nth, name) in names.iter().enumerate() {
            let mut sent = draft(500, 129.5);
            // The name begins with what may be a formula; the description does not contain the word.
            sent["name"] = json!(format!("{name} {word}"));
            sent["description"] = json!(format!("{name}\r\nsecond line"));
            sent["partNumber"] = if nth == 0 { json!(null) } else { json!(format!("{word}-{nth}")) };
            add(&sent).await;
        }
        let out = export(&format!("/products.csv?q={word}&sort=name")).await;
        assert_eq!(out.header("content-type"), "text/csv; charset=utf-8");
        let disposition = out.header("content-disposition");
        assert!(
            disposition.starts_with("attachment; filename=\"products-20") && disposition.ends_with(".csv\""),
            "{disposition}"
        );
        let file = out.text();
        assert_eq!(file.lines().next(), Some(PRODUCT_COLUMNS));
        for cell in cells(&file).into_iter().flatten() {
            assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "{cell:?} is a formula");
        }
        // Nor with the separators of other countries' spreadsheets.
        for cell in file.split([';', '\t', '\r', '\n']) {
            let begins = cell.trim_start_matches([' ', '"']);
            assert!(!begins.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']), "{cell:?} is a formula");
        }

        let before = found(&word).await;
        assert_eq!(before.len(), names.len());
        for product in &before {
            let id = product["_id"].as_str().unwrap();
            admin().await.send(call("DELETE", format!("/products/{id}"))).await.is(200);
        }
        let report = admin().await.send(import("", file)).await.is(200).json();
        assert_eq!(report, json!({"dryRun": false, "rows": names.len(), "added": names.len(), "bad": []}));
        let bare = |products: Vec<Value>| -> Vec<Value> {
            let without = |mut product: Value| {
                product.as_object_mut().unwrap().retain(|name, _| name != "_id" && name != "createdAt");
                product
            };
            products.into_iter().map(without).collect()
        };
        assert_eq!(bare(found(&word).await), bare(before));
    });
}

#[test]
fn an_export_has_the_same_products_in_the_same_order_as_the_filtered_list() {
    run(async {
        let word = format!("filter{}x", unique());
        for (nth, (available, category)) in [(500, "TIRES"), (10, "TIRES"), (500, "BRAKES")].into_iter().enumerate() {
            let mut sent = draft(available, f64::from(u32::try_from(nth).unwrap()) + 1.0);
            (sent["name"], sent["category"]) = (json!(format!("{word} {nth}")), json!(category));
            add(&sent).await;
        }
        for filter in ["", "&category=TIRES", "&sort=price", "&sort=-price", "&inStock=true&sort=name"] {
            let listed = get(format!("/products?q={word}{filter}")).await.is(200).json();
            let listed: Vec<String> =
                listed.as_array().unwrap().iter().map(|one| one["_id"].as_str().unwrap().to_owned()).collect();
            let returned = cells(&export(&format!("/products.csv?q={word}{filter}")).await.text());
            let returned: Vec<String> = returned[1..].iter().map(|row| row[0].clone()).collect();
            assert_eq!(returned, listed, "{filter}");
        }
        let boss = admin().await;
        for wrong in ["/products.csv?sort=oldest", "/allOrders.csv?state=gone", "/allOrders.csv?sort=name"] {
            boss.send(get(wrong)).await.is(422);
        }
    });
}

#[test]
fn orders_are_exported_with_customer_product_and_state() {
    run(async {
        let customer = User::new().await;
        let mut sent = draft(5_000, 2.5);
        sent["name"] = json!(format!("=HYPERLINK({})", unique()));
        let part = add(&sent).await;
        let first = order(&customer, &part, 50).await;
        let mut body = purchase(&part, 60);
        body["address"] = json!("1 Long Road,\n\"Rear\" yard");
        let second = crate::fixtures::inserted(&customer.send(crate::server::post("/orders", &body)).await);
        let transaction = pay(&customer, &first).await;
        admin().await.send(call("PUT", format!("/orders/status/{first}"))).await.is(200);

        let filter = format!("q={}", in_query(&customer.email));
        let out = export(&format!("/allOrders.csv?{filter}&sort=oldest")).await;
        assert!(out.header("content-disposition").starts_with("attachment; filename=\"orders-20"));
        let rows = cells(&out.text());
        assert_eq!(
            rows[0].join(","),
            "id,createdAt,name,email,phone,address,productName,category,quantity,unitPrice,price,paid,transactionId,\
            paidAt,status,shippedAt,number,partNumber"
        );
        assert_eq!(rows.len(), 3);
        let returned = admin().await.send(get(format!("/orders/{first}"))).await.is(200).json();
        let text = |field: &str| returned[field].as_str().unwrap().to_owned();
        let expected = [
            first.clone(),
            text("createdAt"),
            "Some Body".into(),
            customer.email.clone(),
            "'+49 30 123456".into(),
            "1 Long Road, Springfield".into(),
            format!("'{}", sent["name"].as_str().unwrap()),
            "BRAKES".into(),
            "50".into(),
            "2.50".into(),
            "125.00".into(),
            "true".into(),
            transaction,
            text("paidAt"),
            "paid".into(),
            text("shippedAt"),
            text("number"),
            text("partNumber"),
        ];
        assert_eq!(rows[1], expected);
        assert_eq!((rows[2][0].as_str(), rows[2][5].as_str()), (second.as_str(), "1 Long Road,\n\"Rear\" yard"));
        assert_eq!(rows[2][11..16], ["false", "", "", "Pending", ""].map(str::to_owned));

        for (state, expected) in [("waiting", vec![&second]), ("shipped", vec![&first]), ("unpaid", vec![&second])] {
            let rows = cells(&export(&format!("/allOrders.csv?{filter}&state={state}")).await.text());
            let ids: Vec<&String> = rows[1..].iter().map(|row| &row[0]).collect();
            assert_eq!(ids, expected, "{state}");
        }
    });
}

#[test]
fn a_long_export_is_complete_and_has_each_product_once() {
    run(async {
        let word = format!("long{}x", unique());
        let rows: Vec<String> = (0..1_201).map(good).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let report = admin().await.send(import("", file(&word, &rows))).await.is(200).json();
        assert_eq!(report["added"], 1_201);
        let out = export(&format!("/products.csv?q={word}")).await;
        let mut ids: Vec<String> = cells(&out.text())[1..].iter().map(|row| row[0].clone()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 1_201);
    });
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of bad rows")]
fn bad_rows_are_reported_by_line_and_reason_and_refuse_the_file_unless_it_is_partial() {
    run(async {
        let boss = admin().await;
        let word = format!("bad{}x", unique());
        let first = good(1);
        let last = good(9);
        let sent = file(
            &word,
            &[
                &first,
                "{word} 2,\"two\r\nlines\",BOATS,,free,1.5,50,javascript:x",
                "",
                ",A part.,BRAKES,,-1,-1,0,/pictures/3.webp",
                "{word} 4,A part.,BRAKES,,1,1,1,/pictures/4.webp,surplus",
                &first,
                &last,
            ],
        );
        let lines_and_fields = |bad: &Value| -> Vec<(u64, String)> {
            let of = |one: &Value| (one["line"].as_u64().unwrap(), one["field"].as_str().unwrap().to_owned());
            bad.as_array().unwrap().iter().map(of).collect()
        };
        let expected: Vec<(u64, String)> = [
            (3, "price"),
            (3, "availableQty"),
            (3, "category"),
            (3, "img"),
            (6, "name"),
            (6, "price"),
            (6, "availableQty"),
            (7, ""),
            (8, "name"),
        ]
        .map(|(line, field)| (line, field.to_owned()))
        .into();

        let dry = boss.send(import("?dryRun=true", sent.clone())).await.is(200).json();
        assert_eq!((&dry["dryRun"], &dry["rows"], &dry["added"]), (&json!(true), &json!(6), &json!(2)));
        let mut sorted = (lines_and_fields(&dry["bad"]), expected);
        sorted.0.sort();
        sorted.1.sort();
        assert_eq!(sorted.0, sorted.1, "{dry}");
        let reason = |line: u64, field: &str| {
            let found = dry["bad"].as_array().unwrap().iter().find(|one| one["line"] == line && one["field"] == field);
            found.unwrap()["message"].as_str().unwrap().to_owned()
        };
        assert_eq!(reason(3, "price"), "Price must be a number such as 129.50");
        assert_eq!(reason(6, "price"), "Price must be at least 0.01");
        assert_eq!(reason(6, "name"), "Name is required");
        assert_eq!(reason(8, "name"), "Line 2 has the same name, category and picture");
        assert!(found(&word).await.is_empty(), "a dry run adds nothing");

        let refused = boss.send(import("", sent.clone())).await.refused(422);
        assert_eq!(refused["bad"], dry["bad"]);
        assert!(refused["message"].as_str().unwrap().starts_with("Nothing was imported. Line 3: "), "{refused}");
        assert_eq!(refused["errors"][0]["field"], "file");
        assert!(found(&word).await.is_empty(), "bad rows refuse the whole file");

        let done = boss.send(import("?partial=true", sent.clone())).await.is(200).json();
        assert_eq!((&done["dryRun"], &done["added"], &done["bad"]), (&json!(false), &json!(2), &dry["bad"]));
        assert_eq!(found(&word).await.len(), 2);

        // The good rows have been added, so that nothing is left to add.
        let again = boss.send(import("?partial=true", sent)).await.is(200).json();
        assert_eq!((&again["added"], found(&word).await.len()), (&json!(0), 2));
        let twice = boss.send(import("", file(&word, &[&first]))).await.refused(422);
        assert_eq!(twice["bad"][0]["message"], "A product with this name, category and picture already exists");
    });
}

#[test]
fn the_same_key_imports_once() {
    run(async {
        let boss = admin().await;
        let word = format!("once{}x", unique());
        let (one, two) = (good(1), good(2));
        let sent = boss.send(import("?partial=true", file(&word, &[&one, &two]))).key(&fresh_key());
        let answers = all((0..8).map(|_| sent.clone())).await;
        for answer in &answers {
            assert_eq!(answer.clone().is(200).json(), json!({"dryRun": false, "rows": 2, "added": 2, "bad": []}));
        }
        assert_eq!(found(&word).await.len(), 2);
    });
}

#[test]
fn an_unsuitable_file_is_refused_with_the_reason() {
    run(async {
        let boss = admin().await;
        let word = format!("kind{}x", unique());
        let row = good(1);
        let fine = file(&word, &[&row]);
        for media in ["application/json", "text/plain", "text/csv; charset=iso-8859-1", "nonsense"] {
            boss.send(call("POST", "/products.csv").body(media, fine.clone())).await.is(415);
        }
        boss.send(import("", b"name\n\xff\xfe".to_vec())).await.is(400);
        boss.send(import("", "x".repeat(2 * 1_024 * 1_024 + 1))).refuses_as_too_large().await;
        boss.send(import("", format!("{HEADER}{}", "\na".repeat(5_001)))).await.is(413);
        boss.send(import("?dryRun=perhaps", fine.clone())).await.field("dryRun");
        let missing = boss.send(import("", "{\"name\": 1}")).await;
        for column in ["name", "description", "category", "price", "availableQty", "img"] {
            assert_eq!(missing.clone().field(column), format!("The column {column} is missing"));
        }
        assert!(found(&word).await.is_empty());
        // As a spreadsheet with another locale writes it.
        let sent = "\u{feff}IMG;Name;Description;Category;Price;AvailableQty;Colour\r\n\
            /pictures/1.webp;{word};A part.;BRAKES;1299,50;70;red\r\n"
            .replace("{word}", &word);
        let media = "text/csv; charset=UTF-8";
        let report = boss.send(call("POST", "/products.csv").body(media, sent)).await.is(200).json();
        assert_eq!(report["added"], 1);
        let product = &found(&word).await[0];
        assert_eq!((&product["price"], &product["minOrder"]), (&json!(1299.5), &json!(50)));
        // An empty file is not an error.
        let empty = boss.send(import("", HEADER)).await.is(200).json();
        assert_eq!(empty, json!({"dryRun": false, "rows": 0, "added": 0, "bad": []}));
    });
}
