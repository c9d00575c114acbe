//! Hostile values in every field of every payload.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::fixtures::{PASSWORD, User, admin, draft, elsewhere, hint, intent, product, purchase, some_order};
use crate::server::{Call, all, call, get, run};

/// JSON as text, because some of it cannot be represented by a JSON library.
fn hostile() -> Vec<String> {
    let mut values: Vec<String> = [
        "null",
        "true",
        "false",
        "0",
        "-0",
        "-1",
        "0.001",
        "50.5",
        "1e-400",
        "1e300",
        "-1e300",
        "1e400",
        "2147483648",
        "4294967296",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "18446744073709551616",
        "123456789012345678901234567890123456789012345678901234567890",
        "\"\"",
        "\" \"",
        "\"\\u0000\"",
        "\"a\\u0000b\"",
        "\"\\ud800\"",
        "\"\\udfff\\ud800\"",
        "\"\\u202e\\u200b\\ufeff\"",
        "\"\\u001b[31m\\u0007\\u007f\"",
        "\"line\\nbreak\\r\\nX-Injected: 1\"",
        "\"50\"",
        "\"NaN\"",
        "\"Infinity\"",
        "\"'; DROP TABLE products; --\"",
        "\"%s%n%x\"",
        "\"../../etc/passwd\"",
        "\"<script>alert(1)</script>\"",
        "\"{{7*7}}${7*7}\"",
        "\"\u{1f697}\u{0301}\u{0301}\u{0301}\"",
        "[]",
        "{}",
        "[null]",
        "{\"a\":{\"b\":[1]}}",
        "{\"$gt\":\"\"}",
    ]
    .map(str::to_owned)
    .to_vec();
    values.push(format!("\"{}\"", "x".repeat(60_000)));
    values.push("[".repeat(100) + &"]".repeat(100));
    values.push("{\"a\":".repeat(300) + "1" + &"}".repeat(300));
    values
}

/// A call that would succeed, and reads that must return the same as before if it does not.
struct Target {
    call: Call,
    payload: Value,
    watch: Vec<Call>,
}

/// Writes the payload with one field replaced by raw text.
fn with(payload: &Value, path: &[String], raw: &str) -> String {
    let members: BTreeMap<String, String> = payload
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| {
            let written = match path {
                [last] if last == name => raw.to_owned(),
                [first, rest @ ..] if first == name => with(value, rest, raw),
                _ => value.to_string(),
            };
            (name.clone(), written)
        })
        .collect();
    let members: Vec<String> =
        members.iter().map(|(name, value)| format!("{}:{value}", Value::from(&**name))).collect();
    format!("{{{}}}", members.join(","))
}

/// Every field of a payload, including nested ones.
fn fields(payload: &Value) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (name, value) in payload.as_object().unwrap() {
        found.push(vec![name.clone()]);
        if value.is_object() {
            found.extend(fields(value).into_iter().map(|rest| [vec![name.clone()], rest].concat()));
        }
    }
    found
}

async fn seen(target: &Target) -> Vec<Vec<u8>> {
    let mut bodies = Vec::new();
    for read in &target.watch {
        bodies.push(read.clone().await.body);
    }
    bodies
}

async fn withstands_hostile_values(target: Target) {
    for field in fields(&target.payload) {
        let mut before = seen(&target).await;
        for raw in hostile() {
            let body = with(&target.payload, &field, &raw);
            // A 5xx fails inside.
            let answer = target.call.clone().body("application/json", body).await;
            let after = seen(&target).await;
            if !answer.is_success() {
                assert!(matches!(answer.status, 400..=499), "{answer}");
                let raw: String = raw.chars().take(80).collect();
                assert!(after == before, "{field:?} of {raw} was refused but changed something: {answer}");
            }
            before = after;
        }
    }
}

#[test]
fn no_value_of_a_product_breaks_anything() {
    run(async {
        let word = format!("hostile{}", crate::fixtures::unique());
        let mut payload = draft(500, 2.0);
        payload["partNumber"] = json!(word);
        let watch = vec![get(format!("/products?q={word}"))];
        withstands_hostile_values(Target { call: admin().await.send(call("POST", "/products")), payload, watch }).await;
    });
}

#[test]
fn no_value_of_a_restock_breaks_anything() {
    run(async {
        let path = format!("/products/{}", product(500, 2.0).await);
        let payload = json!({"updatedQuantity": 1, "updatedPrice": 2.5});
        withstands_hostile_values(Target {
            call: admin().await.send(call("PUT", &*path)),
            payload,
            watch: vec![get(&*path)],
        })
        .await;
    });
}

#[test]
fn no_value_of_an_order_breaks_anything() {
    run(async {
        let customer = User::new().await;
        let part = product(100_000_000, 2.0).await;
        let mut payload = purchase(&part, 50);
        for (field, value) in [
            ("email", json!(customer.email)),
            ("price", json!(100)),
            ("productName", json!("Part")),
            ("category", json!("BRAKES")),
            ("details", json!("Details")),
            ("img", json!("/x.png")),
            ("status", json!("Pending")),
        ] {
            payload[field] = value;
        }
        let watch = vec![get(format!("/products/{part}"))];
        withstands_hostile_values(Target {
            call: customer.send(call("POST", "/orders")),
            payload: payload.clone(),
            watch: watch.clone(),
        })
        .await;
        // Selected by attributes, other fields are read.
        payload.as_object_mut().unwrap().remove("productId");
        withstands_hostile_values(Target { call: customer.send(call("POST", "/orders")), payload, watch }).await;
    });
}

#[test]
fn no_value_of_a_review_breaks_anything() {
    run(async {
        let user = User::new().await;
        let payload = json!({"name": "Some Body", "rating": 5, "details": "Sturdy."});
        withstands_hostile_values(Target { call: user.send(call("POST", "/reviews")), payload, watch: Vec::new() })
            .await;
        let listed = get("/reviews").await.is(200).json();
        for review in listed.as_array().unwrap() {
            assert!(review["rating"].as_u64().is_some_and(|rating| rating <= 5), "{review}");
        }
    });
}

#[test]
fn no_value_of_a_payment_breaks_anything() {
    run(async {
        let customer = User::new().await;
        let order = some_order(&customer).await;
        let secret = intent(&customer, &order).await;
        let watch =
            vec![customer.send(get(format!("/orders/{order}"))), customer.send(get(format!("/orders/{order}/events")))];
        let payload = json!({"price": 125, "orderId": order});
        withstands_hostile_values(Target {
            call: customer.send(call("POST", "/create-payment-intent")),
            payload,
            watch: watch.clone(),
        })
        .await;
        let payload = hint(&order, "pi_none");
        withstands_hostile_values(Target {
            call: customer.send(call("PATCH", format!("/orders/{order}"))),
            payload,
            watch: watch.clone(),
        })
        .await;
        // A declined card, so that no accepted hostile value pays.
        let payload = json!({
            "clientSecret": secret,
            "card": {"number": "4000000000000002", "expMonth": 12, "expYear": 2040, "cvc": "123"},
            "billingDetails": {"name": "Some Body", "email": "some.body@example.com"},
        });
        withstands_hostile_values(Target { call: call("POST", "/sandbox/payment-intents/confirm"), payload, watch })
            .await;
    });
}

#[test]
fn no_value_of_a_profile_breaks_anything() {
    run(async {
        let user = User::new().await;
        let watch = vec![user.send(get("/info"))];
        let payload = json!({
            "email": user.email, "studyIn": "Here", "livesIn": "There", "phone": "1",
            "facebook": "https://a.example.com/", "linkedin": "https://b.example.com/", "github": "https://c.example.com/",
        });
        withstands_hostile_values(Target { call: user.send(call("POST", "/info")), payload, watch: watch.clone() })
            .await;
        let payload = json!({
            "updatedStudyIn": "Here", "updatedLivesIn": "There", "updatedPhone": "1",
            "updatedFacebook": "https://a.example.com/", "updatedLinkedIn": "https://b.example.com/",
            "updatedLinkedin": "https://b.example.com/", "updatedGithub": "https://c.example.com/",
        });
        withstands_hostile_values(Target { call: user.send(call("PUT", "/info")), payload, watch }).await;
        let watch = vec![get("/auth/me").session(&user.session)];
        let payload = json!({"displayName": "Some Body", "photoURL": "https://a.example.com/me.png"});
        withstands_hostile_values(Target { call: call("PATCH", "/auth/me").session(&user.session), payload, watch })
            .await;
        let payload = json!({"email": user.email});
        let issuing = call("PUT", format!("/user/{}", user.email)).session(&user.session);
        withstands_hostile_values(Target { call: issuing, payload, watch: Vec::new() }).await;
        withstands_hostile_values(Target {
            call: call("POST", "/newsletter"),
            payload: json!({"email": "a@example.com"}),
            watch: Vec::new(),
        })
        .await;
    });
}

#[test]
fn no_value_of_a_name_address_or_password_breaks_anything() {
    run(async {
        let here = elsewhere();
        for path in ["/auth/signup", "/auth/login"] {
            for field in ["name", "email", "password"] {
                let calls = hostile().into_iter().map(|raw| {
                    let payload = json!({"name": "Some Body", "email": User::fresh_email(), "password": PASSWORD});
                    call("POST", path).from(here).body("application/json", with(&payload, &[field.to_owned()], &raw))
                });
                for answer in all(calls).await {
                    assert!(answer.status < 500, "{answer}");
                }
            }
        }
    });
}

#[test]
fn no_byte_in_a_header_breaks_anything() {
    run(async {
        for (name, value) in [
            ("authorization", "Bearer \u{ff}\u{fe}"),
            ("authorization", "Bearer"),
            ("authorization", "Bearer  "),
            ("cookie", "session"),
            ("cookie", "=;;;=; session=\u{ff}"),
            ("cookie", "session=a; session=b"),
            ("if-none-match", "\u{ff}"),
            ("if-none-match", "W/"),
            ("accept", "\u{ff}"),
            ("accept-encoding", "nonsense;q=7"),
            ("idempotency-key", "\u{ff}"),
            ("content-type", "\u{ff}"),
            ("x-forwarded-for", "nonsense, 999.1.1.1"),
            ("origin", "null"),
            ("range", "bytes=5-1"),
        ] {
            get("/products?limit=1").header(name, value).await.is(200);
            let answer = get("/orders").header(name, value).await;
            assert_eq!(answer.status, 401, "{answer}");
            let answer = call("POST", "/newsletter").header(name, value).await;
            assert!(matches!(answer.status, 400 | 415 | 422), "{answer}");
            let answer = get("/auth/me").header(name, value).await;
            assert_eq!(answer.status, 401, "{answer}");
        }
    });
}
