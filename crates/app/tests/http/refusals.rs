//! Invalid JSON, unknown ids, wrong media types and bodies that are too large.

use serde_json::{Value, json};

use crate::fixtures::{User, admin, draft, elsewhere, product, purchase, stock};
use crate::server::{Call, call, get, post, run};

/// Every call that takes a JSON payload, made by a permitted caller.
async fn calls_with_a_payload() -> Vec<Call> {
    let user = User::new().await;
    let boss = admin().await;
    let order = crate::fixtures::some_order(&user).await;
    let part = product(100, 1.0).await;
    vec![
        call("POST", "/auth/signup"),
        call("POST", "/auth/login"),
        call("PATCH", "/auth/me").session(&user.session),
        boss.send(call("POST", "/products")),
        boss.send(call("PUT", format!("/products/{part}"))),
        user.send(call("POST", "/reviews")),
        user.send(call("POST", "/orders")),
        user.send(call("PATCH", format!("/orders/{order}"))),
        user.send(call("POST", "/create-payment-intent")),
        user.send(call("POST", "/info")),
        user.send(call("PUT", format!("/info?email={}", user.email))),
        call("POST", "/newsletter"),
        call("DELETE", "/newsletter"),
        // Few reports are taken from one address.
        call("POST", "/client-errors").from(elsewhere()),
        call("POST", "/sandbox/payment-intents/confirm"),
    ]
}

#[test]
fn invalid_json_is_400() {
    run(async {
        let deep_object = "{\"a\":".repeat(15_000);
        for call in calls_with_a_payload().await {
            for body in [
                "",
                "{",
                "nothing",
                "{\"name\":}",
                "{} {}",
                "{'name': 1}",
                "\u{feff}{}",
                "{\"a\":\"\\ud800",
                &deep_object,
            ] {
                let answer = call.clone().body("application/json", body).await;
                let returned = answer.clone().refused(400);
                assert_eq!(returned["type"], "/problems/bad-request", "{answer}");
            }
            call.clone().body("application/json", &b"\xff\xfe\x00{"[..]).await.is(400);
            // Valid JSON, but absurdly deep.
            let deep = "[".repeat(49_000) + &"]".repeat(49_000);
            let answer = call.clone().body("application/json", deep).await;
            assert!(matches!(answer.status, 400 | 422), "{answer}");
        }
    });
}

#[test]
fn json_that_is_not_an_object_is_422() {
    run(async {
        for call in calls_with_a_payload().await {
            for body in ["[]", "[{}]", "3", "\"x\"", "true", "null"] {
                call.clone().body("application/json", body).await.is(422);
            }
        }
    });
}

#[test]
fn another_media_type_is_415() {
    run(async {
        for call in calls_with_a_payload().await {
            for media_type in ["text/plain", "application/x-www-form-urlencoded", "application/xml", "json", ""] {
                call.clone().body(media_type, "{}").await.is(415);
            }
        }
        let sent = json!({"email": "reader@example.com"}).to_string();
        for media_type in ["application/json; charset=utf-8", "Application/JSON", "application/merge-patch+json"] {
            call("POST", "/newsletter").body(media_type, &*sent).await.is(202);
        }
    });
}

#[test]
fn a_body_that_is_too_large_is_413() {
    run(async {
        let large = json!({"name": "x".repeat(6_000_000)}).to_string();
        for call in calls_with_a_payload().await {
            // Refused before the whole body was sent, so the connection may break first.
            if let Ok(answer) = call.body("application/json", &*large).attempt().await {
                assert_eq!(answer.refused(413)["type"], "/problems/payload-too-large");
            }
        }
    });
}

#[test]
fn an_invalid_id_is_not_found() {
    run(async {
        let boss = admin().await;
        let long = "a".repeat(3_000);
        for id in [
            "x",
            "0",
            "-1",
            "00000000-0000-7000-8000-000000000000",
            "00000000-0000-0000-0000-00000000000g",
            "%00",
            "%FF",
            "'%20OR%201=1--",
            "..%2F..%2Fproducts",
            "%F0%9F%9A%97",
            "null",
            "undefined",
            "[object%20Object]",
            &long,
        ] {
            get(format!("/products/{id}")).await.is(404);
            boss.send(get(format!("/orders/{id}"))).await.is(404);
            boss.send(get(format!("/orders/{id}/events"))).await.is(404);
            boss.send(call("DELETE", format!("/orders/{id}"))).await.is(404);
            boss.send(call("PUT", format!("/orders/status/{id}"))).await.is(404);
            let hint = json!({"payment": {"product": "x", "transactionId": "pi_1", "status": "succeeded"}});
            boss.send(call("PATCH", format!("/orders/{id}")).json(&hint)).await.is(404);
            let restock = json!({"updatedQuantity": 1, "updatedPrice": 1});
            boss.send(call("PUT", format!("/products/{id}")).json(&restock)).await.is(404);
            let answer = boss.send(call("DELETE", format!("/products/{id}"))).await;
            // Deleting an unknown id deletes nothing; an invalid id is not found.
            assert!(answer.status == 404 || answer.json()["deletedCount"] == 0, "{answer}");
            get(format!("/images/{id}")).await.is(404);
        }
    });
}

#[test]
fn a_demo_responds_only_to_names_of_this_machine() {
    run(async {
        for host in ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example"] {
            for call in [get("/products?limit=1"), get("/"), call("POST", "/auth/login"), get("/health/live")] {
                assert_eq!(call.header("host", host).await.status, 421, "{host}");
            }
        }
        for host in ["localhost", "localhost:8080", "127.0.0.1", "[::1]:8080"] {
            get("/products?limit=1").header("host", host).await.is(200);
        }
    });
}

#[test]
fn unknown_fields_are_ignored() {
    run(async {
        let user = User::new().await;
        let mut part = draft(500, 2.0);
        part["__proto__"] = json!({"admin": true});
        part["_id"] = json!("mine");
        part["createdAt"] = json!("1999-01-01T00:00:00Z");
        let answer = admin().await.send(post("/products", &part)).await.is(201).json();
        let id = answer["insertedId"].as_str().unwrap();
        assert_ne!(id, "mine");
        let mut sent = purchase(id, 50);
        for (name, value) in
            [("unitPrice", json!(0.01)), ("paid", json!(true)), ("x", json!({"y": [null]})), ("", Value::Null)]
        {
            sent[name] = value;
        }
        let order = user.send(post("/orders", &sent)).await.is(201).json();
        let returned =
            user.send(get(format!("/orders/{}", order["insertedId"].as_str().unwrap()))).await.is(200).json();
        assert_eq!((&returned["price"], &returned["paid"]), (&json!(100), &json!(false)));
        assert_eq!(stock(id).await, 450);
    });
}

#[test]
fn an_invalid_query_breaks_nothing() {
    run(async {
        let user = User::new().await;
        for query in
            ["email=", "email=%00", "email=%FF", "email=nobody", "email", "email=a&email=b", "%", "email=%F0%9F%9A%97"]
        {
            for path in ["/orders", "/info"] {
                let answer = user.send(get(format!("{path}?{query}"))).await;
                assert!(matches!(answer.status, 200 | 400 | 403 | 422), "{answer}");
                if answer.status == 200 {
                    let returned = answer.json();
                    assert!(returned.is_null() || returned == json!([]), "{returned}");
                }
            }
        }
        for path in
            ["/auth/google?from=%FF", "/auth/google?from=a&from=b", "/auth/google/callback?code=a&code=b&state=c"]
        {
            let answer = get(path).await;
            assert!(matches!(answer.status, 302 | 303 | 400 | 422), "{answer}");
        }
    });
}
