//! Invoices, credit notes, packing slips, confirmations, and the seller.

use serde_json::{Value, json};

use crate::checkouts::placed;
use crate::fixtures::{User, admin, order, pay, product};
use crate::server::{get, post, put, run};

async fn invoices(reader: &User) -> Vec<Value> {
    reader.send(get("/invoices")).await.is(200).json().as_array().unwrap().clone()
}

#[test]
fn a_paid_order_has_an_invoice_as_data_pdf_and_xml() {
    run(async {
        let customer = User::new().await;
        let placed = order(&customer, &product(500, 2.5).await, 60).await;
        assert_eq!(invoices(&customer).await, Vec::<Value>::new());
        pay(&customer, &placed).await;
        let listed = invoices(&customer).await;
        let [invoice] = listed.as_slice() else { panic!("{listed:?}") };
        assert_eq!(
            (&invoice["kind"], &invoice["orderId"], &invoice["total"]),
            (&json!("invoice"), &json!(placed), &json!(150))
        );
        let (id, number) = (invoice["_id"].as_str().unwrap(), invoice["number"].as_str().unwrap());
        assert!(number.starts_with("INV-"), "{number}");
        assert_eq!(invoice["url"], format!("/invoices/{id}.pdf"));

        let data = customer.send(get(format!("/invoices/{id}"))).await.is(200).json();
        assert_eq!(
            (&data["number"], &data["due"], &data["lines"][0]["quantity"]),
            (&json!(number), &json!(0), &json!(60))
        );

        let pdf = customer.send(get(format!("/invoices/{id}.pdf"))).await.is(200);
        assert_eq!(pdf.header("content-type"), "application/pdf");
        assert_eq!(pdf.header("content-disposition"), format!("inline; filename=\"{number}.pdf\""));
        assert_eq!(pdf.header("cache-control"), "no-store");
        assert!(pdf.body.starts_with(b"%PDF-1.7"));
        let tag = pdf.header("etag").to_owned();
        customer.send(get(format!("/invoices/{id}.pdf"))).header("if-none-match", &tag).await.is(304);

        let xml = customer.send(get(format!("/invoices/{id}.xml"))).await.is(200);
        assert_eq!(xml.header("content-type"), "application/xml");
        assert!(xml.text().contains(&format!("<cbc:ID>{number}</cbc:ID>")), "{}", xml.text());
    });
}

#[test]
fn documents_are_their_owners_and_the_admins() {
    run(async {
        let (customer, other, boss) = (User::new().await, User::new().await, admin().await);
        let placed = order(&customer, &product(500, 2.5).await, 60).await;
        pay(&customer, &placed).await;
        let id = invoices(&customer).await[0]["_id"].as_str().unwrap().to_owned();
        for path in [format!("/invoices/{id}"), format!("/invoices/{id}.pdf"), format!("/invoices/{id}.xml")] {
            other.send(get(&path)).await.refused(404);
            boss.send(get(&path)).await.is(200);
        }
        other.send(get(format!("/invoices?email={}", customer.email))).await.refused(403);
        let theirs = boss.send(get(format!("/invoices?email={}", customer.email))).await.is(200).json();
        assert_eq!(theirs[0]["_id"], id);
        for odd in ["x", "x.pdf", "..pdf", "%00.xml"] {
            customer.send(get(format!("/invoices/{odd}"))).await.refused(404);
        }
    });
}

#[test]
fn a_refund_is_credited() {
    run(async {
        let (customer, boss) = (User::new().await, admin().await);
        let placed = order(&customer, &product(500, 2.5).await, 60).await;
        pay(&customer, &placed).await;
        boss.send(post(format!("/orders/{placed}/refund"), &json!({"cents": 1_000}))).await.is(200);
        crate::fixtures::eventually(std::time::Duration::from_secs(20), async || {
            let listed = invoices(&customer).await;
            listed.len() == 2 && listed[0]["kind"] == "credit" && listed[0]["total"] == 10
        })
        .await;
        let id = invoices(&customer).await[0]["_id"].as_str().unwrap().to_owned();
        let data = customer.send(get(format!("/invoices/{id}"))).await.is(200).json();
        assert!(data["credits"].as_str().unwrap().starts_with("INV-"), "{data}");
    });
}

#[test]
fn an_order_has_a_packing_slip_and_a_confirmation_until_it_is_cancelled() {
    run(async {
        let customer = User::new().await;
        let placed = order(&customer, &product(500, 2.5).await, 60).await;
        let paths = ["packing-slip", "confirmation"].map(|name| format!("/orders/{placed}/{name}.pdf"));
        for path in &paths {
            let pdf = customer.send(get(path)).await.is(200);
            assert!(pdf.body.starts_with(b"%PDF-1.7"));
            assert_eq!(pdf.header("cache-control"), "no-store");
        }
        customer.send(crate::server::delete(format!("/orders/{placed}"))).await.is(200);
        for path in &paths {
            customer.send(get(path)).await.refused(404);
        }
    });
}

#[test]
fn admins_get_the_packing_slips_of_several_checkouts_as_one_document() {
    run(async {
        let (kim, customer) = (User::new().await, User::new().await);
        let (one, other) = (placed(&kim).await, placed(&customer).await);
        let slips =
            async |ids: &str| admin().await.send(get(format!("/allCheckouts/packing-slips.pdf?ids={ids}"))).await;
        let both = slips(&format!("{one},{other}")).await.is(200);
        assert!(both.body.starts_with(b"%PDF-1.7"));
        assert!(both.body.len() > slips(&one).await.is(200).body.len());
        // One that is gone is left out, and nothing is left of that one alone.
        customer.send(crate::server::delete(format!("/checkouts/{other}"))).await.is(200);
        assert_eq!(slips(&format!("{other},{one}")).await.is(200).body, slips(&one).await.is(200).body);
        slips(&other).await.refused(404);
        for wrong in ["", "one", &format!("{one},"), &[one.as_str(); 101].join(",")] {
            assert_eq!(slips(wrong).await.refused(422)["errors"][0]["field"], "ids");
        }
        customer.send(get(format!("/allCheckouts/packing-slips.pdf?ids={one}"))).await.refused(403);
    });
}

#[test]
fn the_seller_is_what_admins_say_and_checked_by_the_rules_of_addresses() {
    run(async {
        let boss = admin().await;
        let seller = json!({"name": "Driveline", "line1": "1200 Foundry Street", "city": "Dayton", "region": "Ohio",
            "postcode": "45402", "country": "US", "email": "Billing@driveline.example", "taxId": " ", "terms": "30 days net."});
        boss.send(put("/seller", &seller)).await.is(200);
        let read = boss.send(get("/seller")).await.is(200).json();
        assert_eq!(
            (&read["region"], &read["email"], &read["taxId"]),
            (&json!("OH"), &json!("billing@driveline.example"), &Value::Null)
        );
        for (field, value) in [
            ("name", json!("")),
            ("name", json!("x".repeat(121))),
            ("country", json!("XX")),
            ("postcode", json!("nowhere")),
            ("region", json!("Bavaria")),
            ("email", json!("no address")),
            ("line1", json!(null)),
            ("terms", json!("x".repeat(501))),
        ] {
            let mut wrong = seller.clone();
            wrong[field] = value;
            let refused = boss.send(put("/seller", &wrong)).await;
            assert!(!refused.field(field).is_empty(), "{field}");
        }
    });
}
