//! The same request again, under the same `Idempotency-Key`.

use serde_json::json;

use crate::shop::{Answer, Call, all, get, patch, post, put, run};
use crate::things::{PASSWORD, Person, admin, draft, fresh_key, product, purchase, stock, unique};

fn essence(answer: &Answer) -> (u16, String) {
    (answer.status, answer.text())
}

/// Sends copies one after the other and all at once; all of them have to get the first one's answer.
async fn again_and_again(first: Call, status: u16) -> Answer {
    let once = first.clone().await.is(status);
    for copy in [first.clone().await, first.clone().await] {
        assert_eq!(essence(&copy), essence(&once), "{copy}");
    }
    for copy in all((0..20).map(|_| first.clone())).await {
        assert_eq!(essence(&copy), essence(&once), "{copy}");
    }
    once
}

/// Sends copies that arrive together, with no first one.
async fn together(copy: Call, status: u16) -> Answer {
    let answers = all((0..20).map(|_| copy.clone())).await;
    for answer in &answers {
        assert_eq!(essence(answer), essence(&answers[0]), "{answer}");
    }
    answers[0].clone().is(status)
}

#[test]
fn an_order_is_placed_once() {
    run(async {
        let (customer, other) = (Person::new().await, Person::new().await);
        let part = product(2_000, 2.0).await;
        let key = fresh_key();
        again_and_again(customer.send(post("/orders", &purchase(&part, 50))).key(&key), 201).await;
        assert_eq!(stock(&part).await, 1_950);
        together(customer.send(post("/orders", &purchase(&part, 60))).key(&fresh_key()), 201).await;
        assert_eq!(stock(&part).await, 1_890);
        assert_eq!(customer.orders().await.len(), 2);
        let refused = customer.send(post("/orders", &purchase(&part, 51))).key(&key).await.refused(422);
        assert_eq!(refused["type"].as_str(), Some("/problems/idempotency-mismatch"));
        // The key of somebody else is another key.
        other.send(post("/orders", &purchase(&part, 70))).key(&key).await.is(201);
        other.send(post("/orders", &purchase(&part, 70))).key(&key).await.is(201);
        assert_eq!(stock(&part).await, 1_820);
        assert_eq!(other.orders().await.len(), 1);
        // Without a key every request is one.
        for _ in 0..2 {
            other.send(post("/orders", &purchase(&part, 50))).await.is(201);
        }
        assert_eq!(stock(&part).await, 1_720);
    });
}

#[test]
fn a_refusal_is_repeated_as_well() {
    run(async {
        let customer = Person::new().await;
        let part = product(60, 2.0).await;
        let key = fresh_key();
        let first = customer.send(post("/orders", &purchase(&part, 61))).key(&key).await.is(409);
        admin()
            .await
            .send(put(format!("/products/{part}"), &json!({"updatedQuantity": 500, "updatedPrice": 2})))
            .await
            .is(200);
        let second = customer.send(post("/orders", &purchase(&part, 61))).key(&key).await;
        assert_eq!(essence(&first), essence(&second));
        assert_eq!(stock(&part).await, 560);
    });
}

#[test]
fn a_product_is_added_once() {
    run(async {
        let boss = admin().await;
        let (one, two) = (draft(100, 1.0), draft(100, 1.0));
        let key = fresh_key();
        again_and_again(boss.send(post("/products", &one)).key(&key), 201).await;
        together(boss.send(post("/products", &two)).key(&fresh_key()), 201).await;
        for sent in [&one, &two] {
            let found = get(format!("/products?q={}", sent["partNumber"].as_str().unwrap())).await.is(200).json();
            let found = found.as_array().unwrap().iter().filter(|product| product["name"] == sent["name"]).count();
            assert_eq!(found, 1);
        }
        boss.send(post("/products", &two)).key(&key).await.is(422);
    });
}

#[test]
fn units_arrive_once() {
    run(async {
        let boss = admin().await;
        let second = Person::new_admin().await;
        let part = product(100, 1.0).await;
        let path = format!("/products/{part}");
        let key = fresh_key();
        let sent = json!({"updatedQuantity": 10, "updatedPrice": 1});
        again_and_again(boss.send(put(&*path, &sent)).key(&key), 200).await;
        assert_eq!(stock(&part).await, 110);
        together(boss.send(put(&*path, &sent)).key(&fresh_key()), 200).await;
        assert_eq!(stock(&part).await, 120);
        boss.send(put(&*path, &json!({"updatedQuantity": 11, "updatedPrice": 1}))).key(&key).await.is(422);
        second.send(put(&*path, &sent)).key(&key).await.is(200);
        assert_eq!(stock(&part).await, 130);
        // The same key for another product is another request.
        let other = product(100, 1.0).await;
        boss.send(put(format!("/products/{other}"), &sent)).key(&key).await.is(422);
        assert_eq!(stock(&other).await, 100);
    });
}

#[test]
fn a_review_is_written_once() {
    run(async {
        let person = Person::new().await;
        let name = format!("Reviewer {}", unique());
        let sent = json!({"name": name, "rating": 4, "details": "Sturdy."});
        let key = fresh_key();
        together(person.send(post("/reviews", &sent)).key(&key), 201).await;
        again_and_again(person.send(post("/reviews", &sent)).key(&key), 201).await;
        let written = get("/reviews").await.is(200).json();
        assert_eq!(written.as_array().unwrap().iter().filter(|review| review["name"] == *name).count(), 1);
        let other = json!({"name": name, "rating": 1, "details": "Sturdy."});
        person.send(post("/reviews", &other)).key(&key).await.is(422);
    });
}

#[test]
fn one_signs_up_once_and_every_copy_is_signed_in() {
    run(async {
        let sent = json!({"name": "Some Body", "email": Person::fresh_email(), "password": PASSWORD});
        let key = fresh_key();
        let answer = together(post("/auth/signup", &sent).key(&key), 201).await;
        again_and_again(post("/auth/signup", &sent).key(&key), 201).await;
        let (session, _) = answer.cookie("session").unwrap();
        get("/auth/me").session(&session).await.is(200);
        let copy = post("/auth/signup", &sent).key(&key).await.is(201);
        let (session, _) = copy.cookie("session").expect("a copy of the answer sets the cookie as well");
        get("/auth/me").session(&session).await.is(200);
        let mut other = sent.clone();
        other["name"] = json!("Another");
        post("/auth/signup", &other).key(&key).await.is(422);
        post("/auth/signup", &sent).await.is(409);
        let everybody = admin().await.send(get("/user")).await.is(200).json();
        assert_eq!(everybody.as_array().unwrap().iter().filter(|one| one["email"] == sent["email"]).count(), 1);
    });
}

#[test]
fn a_token_is_minted_once() {
    run(async {
        let (person, other) = (Person::new().await, Person::new().await);
        let key = fresh_key();
        let issue = |who: &Person| {
            put(format!("/user/{}", who.email), &json!({"email": who.email})).session(&who.session).key(&key)
        };
        let first = again_and_again(issue(&person), 200).await.json();
        let second = together(issue(&other), 200).await.json();
        assert_ne!(first["token"], second["token"]);
        get("/orders").token(first["token"].as_str().unwrap()).await.is(200);
        get("/orders").token(second["token"].as_str().unwrap()).await.is(200);
    });
}

#[test]
fn the_other_changes_know_the_key_as_well() {
    run(async {
        let person = Person::new().await;
        let key = fresh_key();
        again_and_again(person.send(post("/info", &json!({"livesIn": "Here"}))).key(&key), 201).await;
        person.send(post("/info", &json!({"livesIn": "There"}))).key(&key).await.is(422);
        let path = format!("/info?email={}", person.email);
        let edited =
            again_and_again(person.send(put(&*path, &json!({"updatedPhone": "1"}))).key(&fresh_key()), 200).await;
        assert_eq!(edited.json(), json!({"modifiedCount": 1}));
        let renamed = patch("/auth/me", &json!({"displayName": "New Name"})).session(&person.session).key(&fresh_key());
        again_and_again(renamed, 200).await;
        let order = crate::things::some_order(&person).await;
        let boss = admin().await;
        let shipping = boss.send(crate::shop::call("PUT", format!("/orders/status/{order}"))).key(&fresh_key());
        assert_eq!(again_and_again(shipping, 200).await.json(), json!({"modifiedCount": 1}));
        let promoting = boss.send(crate::shop::call("PUT", format!("/user/admin/{}", person.email))).key(&fresh_key());
        assert_eq!(again_and_again(promoting, 200).await.json(), json!({"modifiedCount": 1}));
        again_and_again(post("/newsletter", &json!({"email": person.email})).key(&fresh_key()), 202).await;
        again_and_again(person.send(post("/create-payment-intent", &json!({"orderId": order}))).key(&fresh_key()), 200)
            .await;
    });
}

#[test]
fn a_picture_is_uploaded_once() {
    run(async {
        let (media_type, body) = crate::pictures::multipart("image", "a.png", "image/png", &crate::pictures::png(9, 9));
        let upload = crate::shop::call("POST", "/images").body(&media_type, body);
        let answer = together(admin().await.send(upload).key(&fresh_key()), 200).await;
        assert!(answer.json()["data"]["url"].is_string());
    });
}

#[test]
fn of_different_requests_under_one_key_that_arrive_together_one_is_done() {
    run(async {
        let customer = Person::new().await;
        let part = product(2_000, 2.0).await;
        let key = fresh_key();
        let answers =
            all((0..12).map(|nth| customer.send(post("/orders", &purchase(&part, 50 + nth))).key(&key))).await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
        assert_eq!(answers.iter().filter(|answer| answer.status == 422).count(), 11);
        assert_eq!(customer.orders().await.len(), 1);
    });
}

#[test]
fn a_key_that_is_none_is_refused() {
    run(async {
        let person = Person::new().await;
        let part = product(500, 1.0).await;
        for key in ["", " ", &"k".repeat(5_000)] {
            let answer = person.send(post("/orders", &purchase(&part, 50))).key(key).await;
            assert!(matches!(answer.status, 201 | 400 | 422), "{}", answer.status);
        }
        for key in ["'; DROP TABLE orders; --", "{}", "key with spaces", "%00"] {
            person.send(post("/orders", &purchase(&part, 50))).key(key).await.is(201);
        }
    });
}

#[test]
fn a_key_does_not_open_what_a_token_no_longer_opens() {
    run(async {
        let person = Person::new().await;
        let key = fresh_key();
        let sent = json!({"name": "Some Body", "rating": 4, "details": "Sturdy."});
        person.send(post("/reviews", &sent)).key(&key).await.is(201);
        post("/reviews", &sent).key(&key).await.is(401);
        crate::shop::call("POST", "/auth/logout").session(&person.session).await.is(204);
        person.send(post("/reviews", &sent)).key(&key).await.is(401);
    });
}
