//! Quick orders: lists of numbers and quantities, checked line by line.

use std::time::Instant;

use serde_json::{Value, json};

use crate::fixtures::{User, add, admin, draft, unique};
use crate::pictures::multipart;
use crate::server::{Call, call, delete, get, post, put, run};

async fn check(user: &User, text: &str) -> Vec<Value> {
    let answer = user.send(post("/quick-order/check", &json!({"text": text}))).await.is(200);
    assert_eq!(answer.header("cache-control"), "no-store");
    answer.json()["rows"].as_array().unwrap().clone()
}

/// A part of a brand under a number.
async fn part(brand: &str, number: &str, available: u32) -> String {
    let mut sent = draft(available, 2.5);
    sent["brand"] = json!(brand);
    sent["partNumber"] = json!(number);
    add(&sent).await
}

/// The beginning of numbers that no other test has.
fn prefix() -> String {
    format!("qo{}z", unique())
}

fn brief(rows: &[Value]) -> Vec<(u64, &str, u64, &str)> {
    let brief = |row: &Value| {
        let text =
            |field: &str| -> &'static str { Box::leak(row[field].as_str().unwrap().to_owned().into_boxed_str()) };
        (row["line"].as_u64().unwrap(), text("status"), row["quantity"].as_u64().unwrap(), text("message"))
    };
    rows.iter().map(brief).collect()
}

#[test]
fn every_line_gets_its_row_in_its_place() {
    run(async {
        let (ada, p) = (User::new().await, prefix());
        let one = part("Driveline", &format!("{p}-1"), 500).await;
        part("Driveline", &format!("{p}-2"), 55).await;
        part("Driveline", &format!("{p}-3"), 49).await;
        let text = format!(
            "{p}-1 60\r\n\r\n{p}1\t70\r\n{p}-2,100\n{p}-3;60\n{p}-1 x 5\n{p}-2\nDriveline {p}-1 50 pcs\n---\n{p}-1 0\n\
            {p}-1 -5\n{p}-1 1.5\n{p}-1 99999999999\n"
        );
        let rows = check(&ada, &text).await;
        let together = "Line 1 has the same part: 185 together.";
        assert_eq!(
            brief(&rows),
            [
                (1, "ok", 60, ""),
                (3, "ok", 70, together),
                (4, "adjusted", 55, "Lowered from 100 to 55. Only 55 are in stock."),
                (5, "short", 60, "Only 49 are in stock, fewer than the minimum order of 50."),
                (6, "ok", 5, together),
                (
                    7,
                    "short",
                    50,
                    "The lines above take all 55 that are in stock. Line 4 has the same part: 150 together."
                ),
                (8, "ok", 50, together),
                (9, "unknown", 0, "There is no part number on this line."),
                (10, "unknown", 0, "The quantity must be at least 1."),
                (11, "unknown", 0, "The quantity must not be negative."),
                (12, "unknown", 0, "The quantity must be a whole number."),
                (13, "unknown", 0, "The quantity must be 1,000,000,000 or less."),
            ]
        );
        let first = &rows[0];
        for (field, value) in [
            ("text", json!(format!("{p}-1 60"))),
            ("productId", json!(one)),
            ("partNumber", json!(format!("{p}-1"))),
            ("brand", json!("Driveline")),
            ("available", json!(500)),
            ("minOrder", json!(50)),
            ("price", json!(2.5)),
            ("total", json!(150)),
        ] {
            assert_eq!(first[field], value, "{field} of {first}");
        }
        assert_eq!((first.get("choices"), first.get("replacedBy")), (None, None));
        assert_eq!(ada.orders().await.len(), 0, "nothing is bought by checking");
        assert_eq!(get(format!("/products/{one}")).await.is(200).json()["availableQty"], 500);
    });
}

#[test]
fn quantities_are_raised_to_the_minimum_and_to_full_packs_and_say_so() {
    run(async {
        let (ada, p) = (User::new().await, prefix());
        let mut sent = draft(500, 2.5);
        (sent["partNumber"], sent["minOrder"], sent["packSize"]) = (json!(format!("{p}-1")), json!(60), json!(12));
        add(&sent).await;
        for (text, quantity, message) in [
            (format!("{p}-1 10"), 60, "Raised from 10 to 60. The minimum order is 60."),
            (format!("{p}-1 61"), 72, "Raised from 61 to 72. Sold in packs of 12: 72 are full packs."),
            (format!("{p}-1"), 60, "There is no quantity on this line: the minimum order is 60."),
        ] {
            let rows = check(&ada, &text).await;
            assert_eq!(brief(&rows), [(1, "adjusted", quantity, message)], "{text}");
            assert_eq!(rows[0]["total"].as_f64(), Some(2.5 * f64::from(u32::try_from(quantity).unwrap())));
        }
    });
}

#[test]
fn a_number_of_several_products_asks_which() {
    run(async {
        let (ada, p) = (User::new().await, prefix());
        let (bosch, ate) = (
            part(&format!("{p} B"), &format!("{p}-1"), 500).await,
            part(&format!("{p} A"), &format!("{p}1"), 500).await,
        );
        let rows = check(&ada, &format!("{p}-1 60")).await;
        assert_eq!(brief(&rows), [(1, "choose", 60, "2 parts have this number. Choose one.")]);
        assert_eq!((rows[0].get("productId"), rows[0].get("total")), (None, None));
        let choices: Vec<(&str, &str)> = rows[0]["choices"]
            .as_array()
            .unwrap()
            .iter()
            .map(|choice| (choice["productId"].as_str().unwrap(), choice["brand"].as_str().unwrap()))
            .collect();
        assert_eq!(choices, [(ate.as_str(), format!("{p} A").as_str()), (bosch.as_str(), format!("{p} B").as_str())]);
        for field in ["name", "partNumber", "price"] {
            assert!(!rows[0]["choices"][0][field].is_null(), "{field}");
        }
        let with_brand = check(&ada, &format!("{p} b {p} - 1 60")).await;
        assert_eq!((&with_brand[0]["status"], &with_brand[0]["productId"]), (&json!("ok"), &json!(bosch)));
    });
}

#[test]
fn a_replaced_part_is_its_successor_and_one_that_is_gone_is_unknown() {
    run(async {
        let (ada, admin, p) = (User::new().await, admin().await, prefix());
        let (old, new) =
            (part("Driveline", &format!("{p}-1"), 500).await, part("Driveline", &format!("{p}-2"), 500).await);
        let gone = part("Driveline", &format!("{p}-3"), 500).await;
        let numbers = json!({"numbers": [
            {"kind": "superseded", "number": format!("{p}-1")}, {"kind": "oe", "number": format!("{p}-9"), "brand": "VW"},
        ]});
        admin.send(put(format!("/products/{new}/numbers"), &numbers)).await.is(200);
        for product in [&old, &gone] {
            admin.send(delete(format!("/products/{product}"))).await.is(200);
        }
        let rows = check(&ada, &format!("{p}-1 60\n{p}-3 60\n{p}-9 60\n{p}-1 10")).await;
        let together = "Line 1 has the same part: 130 together.";
        assert_eq!(
            brief(&rows),
            [
                (1, "replaced", 60, format!("{p}-1 was replaced by {p}-2.").as_str()),
                (2, "unknown", 60, format!("{p}-3 is no longer sold.").as_str()),
                (3, "ok", 60, format!("Same as VW {p}-9. {together}").as_str()),
                (4, "replaced", 10, format!("{p}-1 was replaced by {p}-2. {together}").as_str()),
            ]
        );
        assert_eq!((&rows[0]["productId"], &rows[0]["replacedBy"]["productId"]), (&json!(new), &json!(new)));
        assert_eq!(rows[0]["replacedBy"]["partNumber"], format!("{p}-2"));
        assert!(rows[0]["replacedBy"]["name"].is_string());
        assert_eq!(rows[1].get("productId"), None);
    });
}

#[test]
fn a_number_that_is_not_found_names_the_closest_ones() {
    run(async {
        let (ada, p) = (User::new().await, prefix());
        let one = part("Driveline", &format!("{p}-31207"), 500).await;
        let rows = check(&ada, &format!("{p}-31208 60\nnothing like it 7 60")).await;
        assert_eq!(rows[0]["status"], "unknown");
        assert_eq!(rows[0]["message"], format!("We couldn't find {p}-31208. Did you mean {p}-31207?"));
        assert_eq!((&rows[0]["choices"][0]["productId"], &rows[0]["quantity"]), (&json!(one), &json!(60)));
        assert!(rows[1]["message"].as_str().unwrap().starts_with("We couldn't find nothing like it 7."), "{}", rows[1]);
        let many: Vec<String> = (0..120).map(|nth| format!("{p}-31208-{nth} 60")).collect();
        let rows = check(&ada, &many.join("\n")).await;
        assert!(rows.iter().all(|row| row["status"] == "unknown"));
        assert!(rows.iter().filter(|row| row.get("choices").is_some()).count() <= 50, "suggestions are bounded");
    });
}

#[test]
fn numbers_are_text_and_what_can_be_read_in_two_ways_is_what_is_found() {
    run(async {
        let (ada, p) = (User::new().await, unique());
        let zeros = format!("00{p}07");
        part("Driveline", &zeros, 500).await;
        let exponent = format!("{p}E10");
        part("Driveline", &exponent, 500).await;
        let blanks = format!("9 {p} 479 612");
        part("Driveline", &blanks, 500).await;
        for text in [
            format!("{zeros} 60"),
            format!("{exponent} 60"),
            format!("{exponent};60"),
            format!("{blanks} 60"),
            format!("60 x {blanks}"),
            format!("60,{blanks}"),
            format!("Driveline {blanks} 60"),
            format!("{exponent}x60"),
            format!("part no,qty\n\"{zeros}\",\"60\""),
            format!("Qty;Brand;Part number\n60;driveline;{blanks}"),
        ] {
            let rows = check(&ada, &text).await;
            assert_eq!(
                (rows.len(), &rows[0]["status"], &rows[0]["quantity"]),
                (1, &json!("ok"), &json!(60)),
                "{text}: {rows:?}"
            );
        }
        let rows = check(&ada, &blanks).await;
        assert_eq!((&rows[0]["status"], &rows[0]["partNumber"]), (&json!("adjusted"), &json!(blanks)));
        let rows = check(&ada, &format!("{p}07 60")).await;
        assert_eq!(rows[0]["status"], "unknown", "zeros in front belong to the number");
    });
}

#[test]
fn files_are_checked_as_text_is() {
    run(async {
        let (ada, p) = (User::new().await, prefix());
        part("Driveline", &format!("{p}-1"), 500).await;
        let csv = format!("\u{feff}Part number,Quantity\r\n{p}-1,60\r\n,\r\n{p}-1,1x\r\n");
        let sent =
            |media_type: &str, body: Vec<u8>| ada.send(call("POST", "/quick-order/check").body(media_type, body));
        let (form, body) = multipart("file", "order.csv", "text/csv", csv.as_bytes());
        let utf_16: Vec<u8> = csv.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for call in
            [sent("text/csv", csv.clone().into_bytes()), sent("text/csv; charset=utf-8", utf_16), sent(&form, body)]
        {
            let rows = call.await.is(200).json()["rows"].as_array().unwrap().clone();
            let brief = brief(&rows);
            assert_eq!((brief.len(), brief[0].0, brief[0].1, brief[0].2), (2, 2, "ok", 60));
            assert_eq!((brief[1].0, brief[1].2), (4, 1));
        }
        let (form, body) = multipart("picture", "order.csv", "text/csv", b"a 50");
        assert_eq!(sent(&form, body).await.refused(422)["errors"][0]["field"], "file");
        sent("application/zip", b"PK".to_vec()).await.refused(415);
        sent("multipart/form-data; boundary=x", b"nothing".to_vec()).await.is(400);
        sent("text/csv", vec![b'\n'; 2 * 1_024 * 1_024 + 1]).await.refused(413);
        sent("text/csv", vec![b'a'; 5_000_000]).refuses_as_too_large().await;
        assert_eq!(sent("text/csv", vec![0; 1_000]).await.is(200).json()["unknown"], 1);
    });
}

#[test]
fn what_is_no_list_is_refused() {
    run(async {
        let ada = User::new().await;
        let send = |call: Call| ada.send(call);
        for sent in [json!({}), json!({"text": null}), json!({"text": 3}), json!([])] {
            send(post("/quick-order/check", &sent)).await.refused(422);
        }
        send(call("POST", "/quick-order/check").body("application/json", "{")).await.refused(400);
        for text in ["", "\n \r\n", "\u{feff}", ",;\n"] {
            assert_eq!(check(&ada, text).await, [] as [Value; 0], "{text:?}");
        }
        let most = "nothing-1 50\n\n".repeat(1_000);
        assert_eq!(check(&ada, &most).await.len(), 1_000);
        let refused =
            send(post("/quick-order/check", &json!({"text": format!("{most}nothing-1 50")}))).await.refused(422);
        assert_eq!(refused["message"], "This list must be at most 1,000 lines. Please check it in parts.");
        assert_eq!((&refused["most"], &refused["errors"][0]["field"]), (&json!(1_000), &json!("text")));
        for text in [
            "a\u{0}b\u{0} 50",
            "brand\u{0} x1 50",
            "💥 50",
            "\u{202e}12 50",
            &"9 ".repeat(100_000),
            &"x".repeat(300_000),
        ] {
            assert_eq!(check(&ada, text).await.len(), 1);
        }
    });
}

#[test]
fn a_thousand_lines_of_the_catalogue_take_less_than_a_second() {
    run(async {
        let ada = User::new().await;
        let products = get("/products?limit=100").await.is(200).json();
        let numbers: Vec<&str> =
            products.as_array().unwrap().iter().filter_map(|product| product["partNumber"].as_str()).collect();
        let lines: Vec<String> = numbers.iter().cycle().take(1_000).map(|number| format!("{number} 60")).collect();
        let lines = lines.join("\n");
        assert_eq!(check(&ada, &lines).await.len(), 1_000);
        let begun = Instant::now();
        let rows = check(&ada, &lines).await;
        let took = begun.elapsed();
        assert_eq!(rows.len(), 1_000);
        assert!(took.as_millis() < 1_000 || cfg!(debug_assertions) && took.as_secs() < 5, "took {took:?}");
    });
}
