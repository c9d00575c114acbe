//! Addresses of pictures: browsers fetch them, and the shop never does. Otherwise whoever edits a product could make
//! the shop call any host in its own network (SSRF).

use std::time::Duration;

use serde_json::json;
use testkit::{Reply, StandIn};

use crate::fixtures::{User, add, admin, draft, eventually, order, pay, unique};
use crate::server::{call, emails_to, get, put, run};

#[test]
fn the_shop_never_fetches_the_address_of_a_picture() {
    run(async {
        let host = StandIn::start(vec![Reply::Json(200, "{}".to_owned())]).await;
        let by_address = format!("{}/x.png", host.base());
        let by_name = by_address.replace("127.0.0.1", "localhost");
        let word = format!("linked{}x", unique());
        let mut sent = draft(500, 3.0);
        (sent["name"], sent["img"]) = (json!(word), json!(by_address));
        let id = add(&sent).await;
        everyone_gets_the_address(&id, &word, &by_address).await;

        let boss = admin().await;
        let images = json!({"images": [by_name, by_address]});
        boss.send(put(format!("/products/{id}/images"), &images)).await.is(200);
        let file = format!(
            "name,description,category,partNumber,price,availableQty,minOrder,img\r\n\
             {word} imported,A part.,BRAKES,{word},2.50,100,50,{by_name}\r\n"
        );
        let report = boss.send(call("POST", "/products.csv").body("text/csv", file)).await.is(200).json();
        assert_eq!(report["added"], 1, "{report}");
        everyone_gets_the_address(&id, &word, &by_name).await;
        a_customer_with_such_a_photo_gets_documents_and_a_receipt(&id, &by_address).await;

        assert_eq!(host.received().len(), 0, "{:?}", host.received());
        // The stand-in does notice a call.
        reqwest::get(&by_address).await.unwrap();
        assert_eq!(host.received().len(), 1);
    });
}

/// Reads the product in lists, pages and files, each of which passes the picture's address on.
async fn everyone_gets_the_address(id: &str, word: &str, img: &str) {
    let moved = get(format!("/parts/{id}")).header("accept", "text/html").await.is(301);
    let page = get(moved.header("location")).header("accept", "text/html");
    let export = admin().await.send(get(format!("/products.csv?q={word}")));
    let list = get(format!("/products?q={word}"));
    for read in [list, get(format!("/products/{id}")), page, get("/feeds/google.xml"), export] {
        let answer = read.await.is(200);
        assert!(answer.text().contains(img), "{img}: {answer}");
    }
    get("/shop/brakes").header("accept", "text/html").await.is(200);
    get("/sitemaps/parts-1.xml").await.is(200);
}

async fn a_customer_with_such_a_photo_gets_documents_and_a_receipt(product: &str, photo: &str) {
    let customer = User::new().await;
    let edited = call("PATCH", "/auth/me").json(&json!({"photoURL": photo})).session(&customer.session);
    assert_eq!(edited.await.is(200).json()["photoURL"], photo);
    let placed = order(&customer, product, 60).await;
    pay(&customer, &placed).await;
    let invoices = customer.send(get("/invoices")).await.is(200).json();
    let invoice = invoices[0]["url"].as_str().unwrap().to_owned();
    let [confirmation, slip] = ["confirmation", "packing-slip"].map(|name| format!("/orders/{placed}/{name}.pdf"));
    for path in [confirmation, slip, invoice] {
        let pdf = customer.send(get(path)).await.is(200);
        assert!(pdf.body.starts_with(b"%PDF-1.7"), "{pdf}");
    }
    let is_there = || emails_to(&customer.email).iter().any(|text| text.contains("Payment received"));
    eventually(Duration::from_mins(1), async || is_there()).await;
}
