//! Repeated requests with the same `Idempotency-Key`.

use serde_json::json;

use crate::fixtures::{PASSWORD, User, admin, draft, fresh_key, product, purchase, status_and_body, stock, unique};
use crate::server::{Answer, Call, all, get, patch, post, put, run};

/// Sends copies one after the other and then concurrently; all of them must get the first response.
async fn repeatedly(first: Call, status: u16) -> Answer {
    let once = first.clone().await.is(status);
    for copy in [first.clone().await, first.clone().await] {
        assert_eq!(status_and_body(&copy), status_and_body(&once), "{copy}");
    }
    for copy in all((0..20).map(|_| first.clone())).await {
        assert_eq!(status_and_body(&copy), status_and_body(&once), "{copy}");
    }
    once
}

/// Sends copies concurrently, without a first one.
async fn concurrently(copy: Call, status: u16) -> Answer {
    let answers = all((0..20).map(|_| copy.clone())).await;
    for answer in &answers {
        assert_eq!(status_and_body(answer), status_and_body(&answers[0]), "{answer}");
    }
    answers[0].clone().is(status)
}

#[test]
fn an_order_is_placed_once() {
    run(async {
        let (customer, other) = (User::new().await, User::new().await);
        let part = product(2_000, 2.0).await;
        let key = fresh_key();
        repeatedly(customer.send(post("/orders", &purchase(&part, 50))).key(&key), 201).await;
        assert_eq!(stock(&part).await, 1_950);
        concurrently(customer.send(post("/orders", &purchase(&part, 60))).key(&fresh_key()), 201).await;
        assert_eq!(stock(&part).await, 1_890);
        assert_eq!(customer.orders().await.len(), 2);
        let refused = customer.send(post("/orders", &purchase(&part, 51))).key(&key).await.refused(422);
        assert_eq!(refused["type"].as_str(), Some("/problems/idempotency-mismatch"));
        // The same key of another user is a different key.
        other.send(post("/orders", &purchase(&part, 70))).key(&key).await.is(201);
        other.send(post("/orders", &purchase(&part, 70))).key(&key).await.is(201);
        assert_eq!(stock(&part).await, 1_820);
        assert_eq!(other.orders().await.len(), 1);
        // Without a key every request counts.
        for _ in 0..2 {
            other.send(post("/orders", &purchase(&part, 50))).await.is(201);
        }
        assert_eq!(stock(&part).await, 1_720);
    });
}

#[test]
fn a_refusal_is_replayed_as_well() {
    run(async {
        let customer = User::new().await;
        let part = product(60, 2.0).await;
        let key = fresh_key();
        let first = customer.send(post("/orders", &purchase(&part, 61))).key(&key).await.is(409);
        admin()
            .await
            .send(put(format!("/products/{part}"), &json!({"updatedQuantity": 500, "updatedPrice": 2})))
            .await
            .is(200);
        let second = customer.send(post("/orders", &purchase(&part, 61))).key(&key).await;
        assert_eq!(status_and_body(&first), status_and_body(&second));
        assert_eq!(stock(&part).await, 560);
    });
}

#[test]
fn a_product_is_added_once() {
    run(async {
        let boss = admin().await;
        let (one, two) = (draft(100, 1.0), draft(100, 1.0));
        let key = fresh_key();
        repeatedly(boss.send(post("/products", &one)).key(&key), 201).await;
        concurrently(boss.send(post("/products", &two)).key(&fresh_key()), 201).await;
        for sent in [&one, &two] {
            let found = get(format!("/products?q={}", sent["partNumber"].as_str().unwrap())).await.is(200).json();
            let found = found.as_array().unwrap().iter().filter(|product| product["name"] == sent["name"]).count();
            assert_eq!(found, 1);
        }
        boss.send(post("/products", &two)).key(&key).await.is(422);
    });
}

#[test]
fn a_restock_is_applied_once() {
    run(async {
        let boss = admin().await;
        let second = User::new_admin().await;
        let part = product(100, 1.0).await;
        let path = format!("/products/{part}");
        let key = fresh_key();
        let sent = json!({"updatedQuantity": 10, "updatedPrice": 1});
        repeatedly(boss.send(put(&*path, &sent)).key(&key), 200).await;
        assert_eq!(stock(&part).await, 110);
        concurrently(boss.send(put(&*path, &sent)).key(&fresh_key()), 200).await;
        assert_eq!(stock(&part).await, 120);
        boss.send(put(&*path, &json!({"updatedQuantity": 11, "updatedPrice": 1}))).key(&key).await.is(422);
        second.send(put(&*path, &sent)).key(&key).await.is(200);
        assert_eq!(stock(&part).await, 130);
        // The same key for another product is a different request.
        let other = product(100, 1.0).await;
        boss.send(put(format!("/products/{other}"), &sent)).key(&key).await.is(422);
        assert_eq!(stock(&other).await, 100);
    });
}

#[test]
fn a_review_is_written_once() {
    run(async {
        let user = User::new().await;
        let name = format!("Reviewer {}", unique());
        let sent = json!({"name": name, "rating": 4, "details": "Sturdy."});
        let key = fresh_key();
        concurrently(user.send(post("/reviews", &sent)).key(&key), 201).await;
        repeatedly(user.send(post("/reviews", &sent)).key(&key), 201).await;
        let written = get("/reviews").await.is(200).json();
        assert_eq!(written.as_array().unwrap().iter().filter(|review| review["name"] == *name).count(), 1);
        let other = json!({"name": name, "rating": 1, "details": "Sturdy."});
        user.send(post("/reviews", &other)).key(&key).await.is(422);
    });
}

#[test]
fn a_sign_up_happens_once_and_every_copy_is_signed_in() {
    run(async {
        let sent = json!({"name": "Some Body", "email": User::fresh_email(), "password": PASSWORD});
        let key = fresh_key();
        let answer = concurrently(post("/auth/signup", &sent).key(&key), 201).await;
        repeatedly(post("/auth/signup", &sent).key(&key), 201).await;
        let (session, _) = answer.cookie("session").unwrap();
        get("/auth/me").session(&session).await.is(200);
        let copy = post("/auth/signup", &sent).key(&key).await.is(201);
        let (session, _) = copy.cookie("session").expect("a copy of the answer sets the cookie as well");
        get("/auth/me").session(&session).await.is(200);
        let mut other = sent.clone();
        other["name"] = json!("Another");
        post("/auth/signup", &other).key(&key).await.is(422);
        post("/auth/signup", &sent).await.is(409);
        let listed = admin().await.send(get("/user")).await.is(200).json();
        assert_eq!(listed.as_array().unwrap().iter().filter(|one| one["email"] == sent["email"]).count(), 1);
    });
}

#[test]
fn a_token_is_issued_once() {
    run(async {
        let (user, other) = (User::new().await, User::new().await);
        let key = fresh_key();
        let issue = |who: &User| {
            put(format!("/user/{}", who.email), &json!({"email": who.email})).session(&who.session).key(&key)
        };
        let first = repeatedly(issue(&user), 200).await.json();
        let second = concurrently(issue(&other), 200).await.json();
        assert_ne!(first["token"], second["token"]);
        get("/orders").token(first["token"].as_str().unwrap()).await.is(200);
        get("/orders").token(second["token"].as_str().unwrap()).await.is(200);
    });
}

#[test]
fn the_other_changes_support_the_key_as_well() {
    run(async {
        let user = User::new().await;
        let key = fresh_key();
        repeatedly(user.send(post("/info", &json!({"livesIn": "Here"}))).key(&key), 201).await;
        user.send(post("/info", &json!({"livesIn": "There"}))).key(&key).await.is(422);
        let path = format!("/info?email={}", user.email);
        let edited = repeatedly(user.send(put(&*path, &json!({"updatedPhone": "1"}))).key(&fresh_key()), 200).await;
        assert_eq!(edited.json(), json!({"modifiedCount": 1}));
        let renamed = patch("/auth/me", &json!({"displayName": "New Name"})).session(&user.session).key(&fresh_key());
        repeatedly(renamed, 200).await;
        let order = crate::fixtures::some_order(&user).await;
        let boss = admin().await;
        let shipping = boss.send(crate::server::call("PUT", format!("/orders/status/{order}"))).key(&fresh_key());
        assert_eq!(repeatedly(shipping, 200).await.json(), json!({"modifiedCount": 1}));
        let promoting = boss.send(crate::server::call("PUT", format!("/user/admin/{}", user.email))).key(&fresh_key());
        assert_eq!(repeatedly(promoting, 200).await.json(), json!({"modifiedCount": 1}));
        repeatedly(post("/newsletter", &json!({"email": user.email})).key(&fresh_key()), 202).await;
        repeatedly(user.send(post("/create-payment-intent", &json!({"orderId": order}))).key(&fresh_key()), 200).await;
    });
}

#[test]
fn a_picture_is_uploaded_once() {
    run(async {
        let (media_type, body) = crate::pictures::multipart("image", "a.png", "image/png", &crate::pictures::png(9, 9));
        let upload = crate::server::call("POST", "/images").body(&media_type, body);
        let answer = concurrently(admin().await.send(upload).key(&fresh_key()), 200).await;
        assert!(answer.json()["data"]["url"].is_string());
    });
}

#[test]
fn of_different_concurrent_requests_with_one_key_only_one_is_performed() {
    run(async {
        let customer = User::new().await;
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
fn a_key_has_1_to_255_printable_characters() {
    run(async {
        let user = User::new().await;
        let part = product(500, 1.0).await;
        for key in ["", " ", &"k".repeat(256), &"k".repeat(5_000)] {
            user.send(post("/orders", &purchase(&part, 50))).key(key).await.refused(400);
        }
        for key in ["'; DROP TABLE orders; --", "{}", "key with spaces", "%00", &"k".repeat(255)] {
            user.send(post("/orders", &purchase(&part, 50))).key(key).await.is(201);
        }
    });
}

#[test]
fn a_key_does_not_replay_a_response_to_an_invalid_token() {
    run(async {
        let user = User::new().await;
        let key = fresh_key();
        let sent = json!({"name": "Some Body", "rating": 4, "details": "Sturdy."});
        user.send(post("/reviews", &sent)).key(&key).await.is(201);
        post("/reviews", &sent).key(&key).await.is(401);
        crate::server::call("POST", "/auth/logout").session(&user.session).await.is(204);
        user.send(post("/reviews", &sent)).key(&key).await.is(401);
    });
}
