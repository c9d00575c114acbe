//! Checkouts: many lines, one number, one payment.

use std::time::Duration;

use serde_json::{Value, json};

use crate::fixtures::{
    GOOD_CARD, User, add, admin, card, draft, eventually, fresh_key, order, product, purchase, status_and_body, stock,
};
use crate::server::{Answer, Call, call, get, post, put, run};

/// A checkout of these quantities of products.
pub(crate) fn body(lines: &[(&str, i64)]) -> Value {
    let lines: Vec<Value> =
        lines.iter().map(|(product, quantity)| json!({"productId": product, "quantity": quantity})).collect();
    json!({
        "lines": lines,
        "contact": {"name": "Some Body", "phone": "+49 30 123456"},
        "address": {"line1": "1 Long Road", "city": "Springfield", "region": "IL", "postcode": "62701", "country": "US"},
        "poNumber": "PO-4711", "terms": "card",
    })
}

/// A checkout of two products that are cheap enough to have freight.
pub(crate) async fn placed(user: &User) -> String {
    let (one, other) = (product(500, 1.0).await, product(500, 1.0).await);
    let answer = place(user, &body(&[(&one, 50), (&other, 50)])).await;
    answer.is(201).json()["checkoutId"].as_str().unwrap().to_owned()
}

async fn place(user: &User, sent: &Value) -> Answer {
    user.send(post("/checkouts", sent)).await
}

async fn read(user: &User, checkout: &str) -> Value {
    user.send(get(format!("/checkouts/{checkout}"))).await.is(200).json()
}

/// The order of a line.
fn order_of(checkout: &Value, line: usize) -> String {
    checkout["lines"][line]["orderId"].as_str().unwrap().to_owned()
}

fn id_of(checkout: &Value) -> String {
    checkout["checkoutId"].as_str().unwrap().to_owned()
}

fn opening(checkout: &str) -> Call {
    post("/create-payment-intent", &json!({"checkoutId": checkout}))
}

async fn secret(user: &User, call: Call) -> String {
    user.send(call).await.is(200).json()["clientSecret"].as_str().unwrap().to_owned()
}

fn confirm(secret: &str) -> Call {
    card(secret, GOOD_CARD)
}

fn payment_of(secret: &str) -> &str {
    secret.split("_secret").next().unwrap()
}

/// Pays a checkout by card, and reports it.
async fn pay(user: &User, checkout: &str) -> String {
    let secret = secret(user, opening(checkout)).await;
    confirm(&secret).await.is(200);
    let payment = payment_of(&secret).to_owned();
    let hint = json!({"payment": {"transactionId": payment}});
    let settled = user.send(call("PATCH", format!("/checkouts/{checkout}")).json(&hint)).await.is(200).json();
    assert_eq!(settled["modifiedCount"], 1);
    payment
}

#[test]
fn many_lines_are_placed_under_one_number_and_paid_at_once() {
    run(async {
        let (ada, one, other) = (User::new().await, product(500, 2.5).await, product(500, 1.25).await);
        let placed = place(&ada, &body(&[(&one, 60), (&other, 50)])).await.is(201).json();
        let id = id_of(&placed);
        assert!(placed["number"].as_str().unwrap().starts_with("P-"), "{placed}");
        // Goods above $140 are delivered free, and nothing is taxed by default.
        assert_eq!(
            (&placed["goods"], &placed["shipping"], &placed["tax"], &placed["due"]),
            (&json!(212.5), &json!(0), &json!(0), &json!(212.5))
        );
        assert_eq!(placed["lines"].as_array().unwrap().len(), 2);
        assert_eq!((&placed["lines"][0]["price"], &placed["lines"][1]["price"]), (&json!(150), &json!(62.5)));
        assert_eq!((stock(&one).await, stock(&other).await), (440, 450));

        let shown = ada.send(get(format!("/orders/{}", order_of(&placed, 1)))).await.is(200).json();
        assert_eq!(
            (&shown["checkoutId"], &shown["line"], &shown["poNumber"]),
            (&json!(id), &json!(2), &json!("PO-4711"))
        );
        assert_eq!((&shown["price"], &shown["due"]), (&json!(62.5), &json!(62.5)));
        assert_eq!(shown["address"], "1 Long Road, Springfield IL 62701, United States");
        assert_eq!(ada.orders().await.len(), 2);

        let payment = pay(&ada, &id).await;
        let paid = read(&ada, &id).await;
        assert_eq!((&paid["paid"], &paid["state"], &paid["standing"]), (&json!(true), &json!("paid"), &json!(2)));
        for line in [0, 1] {
            let order = ada.send(get(format!("/orders/{}", order_of(&placed, line)))).await.is(200).json();
            assert_eq!((&order["paid"], &order["payment"]["transactionId"]), (&json!(true), &json!(payment)));
        }
        // Reported again, by a line as well.
        let hint = json!({"payment": {"transactionId": payment}});
        ada.send(call("PATCH", format!("/orders/{}", order_of(&placed, 1))).json(&hint)).await.is(200);
        let again = ada.send(opening(&id)).await.refused(409);
        assert_eq!(again["type"], "/problems/already-paid");
        assert_eq!(ada.send(call("DELETE", format!("/checkouts/{id}"))).await.status, 409);
        let listed = ada.send(get(format!("/checkouts?email={}", ada.email))).await.is(200).json();
        assert_eq!((&listed[0]["_id"], &listed[0]["due"], &listed[0]["lines"]), (&json!(id), &json!(212.5), &json!(2)));
    });
}

#[test]
fn a_small_checkout_has_freight_which_its_lines_share() {
    run(async {
        let (ada, one, other) = (User::new().await, product(500, 2.0).await, product(500, 0.5).await);
        let placed = place(&ada, &body(&[(&one, 50), (&other, 50)])).await.is(201).json();
        assert_eq!((&placed["goods"], &placed["shipping"], &placed["due"]), (&json!(125), &json!(15), &json!(140)));
        assert_eq!((&placed["lines"][0]["due"], &placed["lines"][1]["due"]), (&json!(112), &json!(28)));
        let id = id_of(&placed);
        let wrong = json!({"checkoutId": id, "price": 125});
        assert_eq!(ada.send(post("/create-payment-intent", &wrong)).await.refused(409)["price"], json!(140));
        pay(&ada, &id).await;
        let exactly = (product(500, 1.4).await, product(500, 1.4).await);
        let free = place(&ada, &body(&[(&exactly.0, 50), (&exactly.1, 50)])).await.is(201).json();
        assert_eq!((&free["goods"], &free["shipping"]), (&json!(140), &json!(0)));
    });
}

#[test]
fn lines_of_one_product_are_one_order_judged_by_their_sum() {
    run(async {
        let (ada, one, other) = (User::new().await, product(100, 2.0).await, product(500, 1.0).await);
        let tiers = json!({"tiers": [{"from": 80, "price": 1.5}]});
        admin().await.send(put(format!("/products/{one}/tiers"), &tiers)).await.is(200);
        let placed = place(&ada, &body(&[(&one, 40), (&other, 50), (&one, 45)])).await.is(201).json();
        assert_eq!(placed["lines"].as_array().unwrap().len(), 2);
        assert_eq!((&placed["lines"][0]["quantity"], &placed["lines"][0]["unit"]), (&json!(85), &json!(1.5)));
        assert_eq!(stock(&one).await, 15);
        let third = product(90, 2.0).await;
        let refused = place(&User::new().await, &body(&[(&third, 50), (&other, 50), (&third, 50)])).await.refused(409);
        assert_eq!((&refused["errors"][0]["line"], &refused["errors"][0]["available"]), (&json!(1), &json!(90)));
        assert_eq!((stock(&third).await, stock(&other).await), (90, 450));
    });
}

#[test]
fn one_line_alone_is_a_plain_order() {
    run(async {
        let (ada, one) = (User::new().await, product(500, 1.0).await);
        let placed = place(&ada, &body(&[(&one, 50)])).await.is(201).json();
        assert_eq!((&placed["checkoutId"], &placed["due"], &placed["shipping"]), (&Value::Null, &json!(50), &json!(0)));
        let order = ada.send(get(format!("/orders/{}", order_of(&placed, 0)))).await.is(200).json();
        assert_eq!((order.get("checkoutId"), &order["poNumber"], &order["due"]), (None, &json!("PO-4711"), &json!(50)));
        assert_eq!(ada.send(get("/checkouts")).await.is(200).json(), json!([]));
    });
}

#[test]
fn one_bad_line_places_nothing_unless_some_will_do() {
    run(async {
        let (ada, good, other) = (User::new().await, product(500, 2.0).await, product(500, 2.0).await);
        let short = product(60, 2.0).await;
        let mut sent = body(&[(&good, 50), (&short, 70), ("0199f3a0-0000-7000-8000-000000000000", 50), (&other, 20)]);
        sent["lines"][0]["price"] = json!(100);
        let refused = place(&ada, &sent).await.refused(409);
        let errors = refused["errors"].as_array().unwrap();
        let reasons: Vec<_> =
            errors.iter().map(|error| (error["line"].as_u64().unwrap(), error["reason"].as_str().unwrap())).collect();
        assert_eq!(reasons, [(2, "stock"), (3, "gone"), (4, "quantity")]);
        assert_eq!((stock(&good).await, ada.orders().await.len()), (500, 0));

        sent["lines"][0]["price"] = json!(99);
        let stale = place(&ada, &sent).await.refused(409);
        assert_eq!((&stale["errors"][0]["reason"], &stale["errors"][0]["price"]), (&json!("price"), &json!(100)));

        sent["lines"][0]["price"] = json!(100);
        sent["lines"].as_array_mut().unwrap().push(json!({"productId": other, "quantity": 50}));
        let partial = ada.send(post("/checkouts?partial=true", &sent)).await.is(201).json();
        assert_eq!(partial["lines"].as_array().unwrap().len(), 2, "{partial}");
        assert_eq!(partial["refused"].as_array().unwrap().len(), 2);
        assert_eq!((stock(&good).await, stock(&other).await), (450, 430));
    });
}

#[test]
fn bad_input_is_refused_with_a_sentence_at_its_place() {
    run(async {
        let (ada, one, other) = (User::new().await, product(500, 2.0).await, product(500, 2.0).await);
        let sound = || body(&[(&one, 50), (&other, 50)]);
        let with = |path: &str, value: Value| {
            let mut sent = sound();
            *sent.pointer_mut(path).unwrap() = value;
            sent
        };
        for (sent, field) in [
            (with("/lines", json!([])), "lines"),
            (with("/lines", json!(vec![json!({"productId": one, "quantity": 1}); 1001])), "lines"),
            (with("/lines/0/quantity", json!(1.5)), "lines[0].quantity"),
            (with("/lines/1", json!({"quantity": 50})), "lines[1].productId"),
            (with("/contact/name", json!("")), "contact.name"),
            (with("/contact", json!(null)), "contact.name"),
            (with("/address", json!(null)), "address"),
            (with("/address/country", json!("XX")), "address.country"),
            (with("/address/country", json!(null)), "address.country"),
            (with("/address/postcode", json!("no postcode")), "address.postcode"),
            (with("/poNumber", json!("PO\u{0007}1")), "poNumber"),
            (with("/poNumber", json!("PO\n1")), "poNumber"),
            (with("/poNumber", json!("x".repeat(61))), "poNumber"),
            (with("/terms", json!("barter")), "terms"),
        ] {
            let refused = place(&ada, &sent).await.refused(422);
            let fields: Vec<&str> =
                refused["errors"].as_array().unwrap().iter().filter_map(|error| error["field"].as_str()).collect();
            assert!(fields.contains(&field), "{field}: {refused}");
        }
        for quantity in [0, -5, 49, i64::MAX] {
            let refused = place(&ada, &with("/lines/1/quantity", json!(quantity))).await;
            assert!(matches!(refused.status, 409 | 422), "{quantity}: {refused}");
            assert_eq!(refused.json()["errors"][0]["line"], json!(2), "{quantity}: {refused}");
        }
        let another = with("/contact", json!({"name": "A", "phone": "1", "email": "someone.else@example.com"}));
        place(&ada, &another).await.refused(403);
        assert_eq!((stock(&one).await, ada.orders().await.len()), (500, 0));
        let odd_method = {
            let mut sent = sound();
            sent["shippingMethod"] = json!("99999");
            sent
        };
        let refused = place(&ada, &odd_method).await.refused(422);
        assert_eq!(refused["errors"][0]["field"], "shippingMethod");
    });
}

#[test]
fn a_number_names_a_product_if_exactly_one_has_it() {
    run(async {
        let ada = User::new().await;
        let (one, other) = (draft(500, 2.0), draft(500, 3.0));
        let (first, second) = (add(&one).await, add(&other).await);
        let lines = json!([
            {"number": one["partNumber"].as_str().unwrap().to_lowercase().replace('-', " "), "quantity": 50},
            {"number": other["partNumber"], "quantity": 50},
        ]);
        let mut sent = body(&[]);
        sent["lines"] = lines;
        let placed = place(&ada, &sent).await.is(201).json();
        assert_eq!(
            (&placed["lines"][0]["productId"], &placed["lines"][1]["productId"]),
            (&json!(first), &json!(second))
        );
        sent["lines"][0]["number"] = json!("NOBODY-HAS-THIS-9");
        let refused = place(&User::new().await, &sent).await.refused(422);
        assert_eq!((&refused["errors"][0]["line"], &refused["errors"][0]["reason"]), (&json!(1), &json!("unknown")));
    });
}

#[test]
fn the_same_key_is_the_same_checkout_and_another_body_is_refused() {
    run(async {
        let (ada, one, other) = (User::new().await, product(500, 2.0).await, product(500, 2.0).await);
        let (key, sent) = (fresh_key(), body(&[(&one, 50), (&other, 50)]));
        let keyed = |sent: &Value| ada.send(post("/checkouts", sent)).header("idempotency-key", key.clone());
        let first = keyed(&sent).await.is(201);
        let again = keyed(&sent).await.is(201);
        assert_eq!(first.json()["checkoutId"], again.json()["checkoutId"]);
        assert_eq!(stock(&one).await, 450);
        keyed(&body(&[(&one, 60), (&other, 50)])).await.refused(422);
        let copies = {
            let (eve, key) = (User::new().await, fresh_key());
            let (one, other) = (product(60, 2.0).await, product(60, 2.0).await);
            let sent = body(&[(&one, 50), (&other, 50)]);
            let copies = (0..6)
                .map(|_| eve.send(post("/checkouts", &sent)).header("idempotency-key", key.clone()).into_future());
            futures_util::future::join_all(copies).await
        };
        let ids: std::collections::BTreeSet<String> =
            copies.iter().map(|answer| answer.clone().is(201).json()["checkoutId"].to_string()).collect();
        assert_eq!(ids.len(), 1, "{:?}", copies.iter().map(status_and_body).collect::<Vec<_>>());
    });
}

#[test]
fn cancelling_a_line_makes_the_payment_smaller_and_cancelling_all_leaves_none() {
    run(async {
        let (ada, one, other) = (User::new().await, product(500, 2.0).await, product(500, 4.0).await);
        let placed = place(&ada, &body(&[(&one, 50), (&other, 50)])).await.is(201).json();
        let id = id_of(&placed);
        let first = secret(&ada, opening(&id)).await;
        assert_eq!(secret(&ada, opening(&id)).await, first);
        let line = order_of(&placed, 0);
        assert_eq!(ada.send(call("DELETE", format!("/orders/{line}"))).await.is(200).json()["deletedCount"], 1);
        assert_eq!(stock(&one).await, 500);
        let smaller = read(&ada, &id).await;
        assert_eq!(
            (&smaller["due"], &smaller["standing"], &smaller["lines"][0]["cancelled"]),
            (&json!(200), &json!(1), &json!(true))
        );
        // The payment of the whole is closed, and no card can pay it any more.
        assert!(!confirm(&first).await.is_success());
        pay(&ada, &id).await;
        assert_eq!(read(&ada, &id).await["paid"], true);

        let placed = place(&ada, &body(&[(&one, 50), (&other, 50)])).await.is(201).json();
        let id = id_of(&placed);
        secret(&ada, opening(&id)).await;
        let cancel = || ada.send(call("DELETE", format!("/checkouts/{id}")));
        assert_eq!(cancel().await.is(200).json()["deletedCount"], 2);
        assert_eq!(cancel().await.is(200).json()["deletedCount"], 0);
        assert_eq!((stock(&one).await, read(&ada, &id).await["state"].clone()), (500, json!("cancelled")));
        ada.send(opening(&id)).await.refused(409);
    });
}

#[test]
fn a_line_is_not_paid_twice() {
    run(async {
        let (ada, one, other) = (User::new().await, product(500, 2.0).await, product(500, 4.0).await);
        let placed = place(&ada, &body(&[(&one, 50), (&other, 50)])).await.is(201).json();
        let (id, line) = (id_of(&placed), order_of(&placed, 0));
        // A line's own payment is closed when the whole is to be paid.
        let own = secret(&ada, post("/create-payment-intent", &json!({"orderId": line}))).await;
        let whole = secret(&ada, opening(&id)).await;
        assert!(!confirm(&own).await.is_success());
        let refused = ada.send(post("/create-payment-intent", &json!({"orderId": line}))).await.refused(409);
        assert_eq!((&refused["checkoutId"], &refused["type"]), (&json!(id), &json!("/problems/paid-together")));
        confirm(&whole).await.is(200);
        // Nobody reports it: the reconciler settles all lines.
        eventually(Duration::from_mins(1), async || read(&ada, &id).await["paid"] == json!(true)).await;
        assert_eq!(read(&ada, &id).await["lines"][1]["paid"], true);
    });
}

#[test]
fn a_refund_is_limited_by_the_lines_share() {
    run(async {
        let (ada, one, other) = (User::new().await, product(500, 1.0).await, product(500, 1.5).await);
        let placed = place(&ada, &body(&[(&one, 50), (&other, 50)])).await.is(201).json();
        // $50 + $75 of goods, $15 of freight: $56 and $84.
        assert_eq!((&placed["lines"][0]["due"], &placed["lines"][1]["due"]), (&json!(56), &json!(84)));
        let id = id_of(&placed);
        pay(&ada, &id).await;
        let refund = async |line: usize, cents: Option<i64>| {
            let sent = cents.map_or_else(|| json!({}), |cents| json!({"cents": cents}));
            admin().await.send(post(format!("/orders/{}/refund", order_of(&placed, line)), &sent)).await
        };
        refund(0, Some(5_601)).await.refused(422);
        assert!(refund(0, Some(2_000)).await.is_success());
        refund(0, Some(3_601)).await.refused(422);
        assert!(refund(0, None).await.is_success());
        let now = read(&ada, &id).await;
        assert_eq!(
            (&now["lines"][0]["cancelled"], &now["lines"][1]["paid"], &now["standing"]),
            (&json!(true), &json!(true), &json!(1))
        );
        assert_eq!(stock(&one).await, 500);
    });
}

#[test]
fn a_check_says_what_it_would_cost_and_places_nothing() {
    run(async {
        let (ada, one, other) = (User::new().await, product(500, 1.0).await, product(60, 1.0).await);
        let mut sent = body(&[(&one, 50), (&other, 50)]);
        sent.as_object_mut().unwrap().remove("contact");
        let checked = ada.send(post("/checkouts/check", &sent)).await.is(200).json();
        assert_eq!((&checked["goods"], &checked["shipping"], &checked["due"]), (&json!(100), &json!(15), &json!(115)));
        assert_eq!(checked["shippingMethods"][0]["price"], json!(15));
        sent["lines"][1]["quantity"] = json!(61);
        let short = ada.send(post("/checkouts/check", &sent)).await.is(200).json();
        assert_eq!(
            (&short["refused"][0]["line"], &short["refused"][0]["available"], &short["due"]),
            (&json!(2), &json!(60), &json!(50))
        );
        assert_eq!((stock(&one).await, ada.orders().await.len()), (500, 0));
    });
}

#[test]
fn two_hundred_lines_are_placed_and_paid() {
    run(async {
        let ada = User::new().await;
        let mut products = Vec::new();
        for _ in 0..200 {
            products.push(product(100, 1.0).await);
        }
        let lines: Vec<(&str, i64)> = products.iter().map(|product| (product.as_str(), 50)).collect();
        let placed = place(&ada, &body(&lines)).await.is(201).json();
        assert_eq!((placed["lines"].as_array().unwrap().len(), &placed["due"]), (200, &json!(10_000)));
        let id = id_of(&placed);
        pay(&ada, &id).await;
        assert_eq!(read(&ada, &id).await["paid"], true);
        assert_eq!(stock(&products[199]).await, 50);
    });
}

#[test]
fn a_stranger_finds_no_checkout_and_an_admin_all() {
    run(async {
        let (ada, eve) = (User::new().await, User::new().await);
        let id = placed(&ada).await;
        eve.send(get(format!("/checkouts/{id}"))).await.refused(404);
        eve.send(opening(&id)).await.refused(404);
        eve.send(get(format!("/checkouts?email={}", ada.email))).await.refused(403);
        let number = read(&ada, &id).await["number"].as_str().unwrap().to_owned();
        for q in [number.clone(), "PO-4711".to_owned(), ada.email.clone()] {
            let found = admin().await.send(get(format!("/allCheckouts?q={q}&limit=100"))).await.is(200).json();
            assert!(found.as_array().unwrap().iter().any(|one| one["_id"] == json!(id)), "{q}");
        }
        let unpaid = admin().await.send(get(format!("/allCheckouts?q={number}&state=unpaid"))).await.is(200).json();
        assert_eq!(unpaid.as_array().unwrap().len(), 1);
        let paid = admin().await.send(get(format!("/allCheckouts?q={number}&state=paid"))).await.is(200).json();
        assert_eq!(paid, json!([]));
    });
}

#[test]
fn orders_and_purchases_are_found_by_purchase_order_and_part_number() {
    run(async {
        let (ada, other) = (User::new().await, User::new().await);
        let number = format!("Srch-{}.b", &fresh_key()[24..]);
        let mut sent = draft(500, 1.0);
        sent["partNumber"] = json!(number);
        let numbered = add(&sent).await;
        let (plain, po) = (product(500, 1.0).await, format!("Fleet/{}", fresh_key()));
        let mut sent = body(&[(&numbered, 50), (&plain, 60)]);
        sent["poNumber"] = json!(po);
        let placed = place(&ada, &sent).await.is(201).json();
        let mut sent = body(&[(&numbered, 50)]);
        sent["poNumber"] = json!(po);
        place(&ada, &sent).await.is(201);

        let found = async |user: &User, list: &str, q: &str| {
            let listed = user.send(get(format!("{list}limit=20&q={}", q.replace(' ', "%20")))).await.is(200);
            listed.json().as_array().unwrap().len()
        };
        let mine = format!("/orders?email={}&", ada.email);
        let written_otherwise = number.to_uppercase().replace(['-', '.'], "");
        for (list, by_po, by_number) in [("/allOrders?", 3, 2), (mine.as_str(), 3, 2), ("/orders?", 3, 2)] {
            let reader = if list == "/orders?" { &ada } else { admin().await };
            assert_eq!(found(reader, list, &po.to_uppercase()).await, by_po, "{list}");
            assert_eq!(found(reader, list, &number).await, by_number, "{list}");
            assert_eq!(found(reader, list, &written_otherwise).await, by_number, "{list}");
            assert_eq!(found(reader, list, &format!("{po} {number}")).await, by_number, "{list}");
            assert_eq!(found(reader, list, &format!("{po} nowhere")).await, 0, "{list}");
        }
        for reader in [&ada, admin().await] {
            let list = format!("/checkouts?email={}&", ada.email);
            let number_of = placed["number"].as_str().unwrap();
            for q in [&po, &number, &written_otherwise, number_of, &format!("{} {po}", ada.email)] {
                assert_eq!(found(reader, &list, q).await, 1, "{q}");
            }
            assert_eq!(found(reader, &list, "nowhere").await, 0);
            let none = reader.send(get(format!("{list}state=paid"))).await.is(200).json();
            assert_eq!(none, json!([]));
        }
        assert_eq!(found(admin().await, "/allCheckouts?", &po).await, 1);
        assert_eq!(found(&other, "/orders?", &po).await, 0);
        assert_eq!(found(&other, "/checkouts?", &po).await, 0);
        other.send(get(format!("/checkouts?email={}&q={po}", ada.email))).await.is(403);
        ada.send(get("/checkouts?q=%01")).await.is(422);
        ada.send(get(format!("/checkouts?q={}", "a".repeat(201)))).await.is(422);
        ada.send(get(format!("/orders?q={}", "a".repeat(201)))).await.is(422);
        ada.send(get("/checkouts?state=lost")).await.is(422);
    });
}

#[test]
fn purchases_are_saved_as_a_file_with_what_is_due_and_paid() {
    run(async {
        let (ada, one, other) = (User::new().await, product(500, 2.5).await, product(500, 0.5).await);
        let mut sent = body(&[(&one, 50), (&other, 50)]);
        sent["poNumber"] = json!(format!("=PO-{}", fresh_key()));
        sent["address"]["company"] = json!("Ada's Garage");
        let placed = place(&ada, &sent).await.is(201).json();
        let id = id_of(&placed);
        pay(&ada, &id).await;
        ada.send(get("/allCheckouts.csv")).await.is(403);
        let file = admin()
            .await
            .send(get(format!("/allCheckouts.csv?q={}", placed["number"].as_str().unwrap())))
            .await
            .is(200);
        assert!(file.header("content-disposition").contains("purchases-"), "{file}");
        let text = file.text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "id,number,placedAt,name,email,company,country,poNumber,terms,state,lines,shipped,goods,shipping,tax,due,paid"
        );
        let expected = format!(
            "{id},{},{},Some Body,{},Ada's Garage,US,'{},card,paid,2,0,150.00,0.00,0.00,150.00,150.00",
            placed["number"].as_str().unwrap(),
            placed["placedAt"].as_str().unwrap(),
            ada.email,
            sent["poNumber"].as_str().unwrap()
        );
        assert_eq!(lines[1..], [expected]);
        admin().await.send(get("/allCheckouts.csv?state=lost")).await.is(422);
    });
}

#[test]
fn single_orders_are_as_they_were() {
    run(async {
        let (ada, one) = (User::new().await, product(500, 1.0).await);
        let id = order(&ada, &one, 50).await;
        let shown = ada.send(get(format!("/orders/{id}"))).await.is(200).json();
        assert_eq!((&shown["due"], &shown["price"], shown.get("checkoutId")), (&json!(50), &json!(50), None));
        ada.send(post("/orders", &purchase(&one, 49))).await.refused(422);
    });
}
