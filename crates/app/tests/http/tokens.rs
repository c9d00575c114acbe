//! Invalid tokens, and how soon a role change or a removal takes effect.

use std::time::Duration;

use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use serde_json::{Value, json};

use crate::fixtures::{PASSWORD, User, admin, elsewhere, eventually, some_order};
use crate::matrix::{Resources, TABLE};
use crate::server::{Answer, Demo, all, call, delete, get, post, run};

/// The secret of the server that gets the forged tokens: a test that knows it can sign whatever claims it likes.
pub(crate) const SECRET: &str = "a secret of forty bytes, known to a test";

pub(crate) fn part(token: &str, nth: usize) -> Value {
    let part = token.split('.').nth(nth).unwrap();
    serde_json::from_slice(&BASE64.decode(part).unwrap()).unwrap()
}

fn written(value: &Value) -> String {
    BASE64.encode(value.to_string())
}

/// A copy with one member changed.
fn with(value: &Value, name: &str, changed: Value) -> Value {
    let mut copy = value.clone();
    copy[name] = changed;
    copy
}

/// A token signed with this secret: the server's own, as by an attacker who has it or another program that uses it, or another.
pub(crate) fn signed(secret: &str, algorithm: hmac::Algorithm, header: &Value, claims: &Value) -> String {
    let message = format!("{}.{}", written(header), written(claims));
    let signature = hmac::sign(&hmac::Key::new(algorithm, secret.as_bytes()), message.as_bytes());
    format!("{message}.{}", BASE64.encode(signature))
}

/// What somebody who has a valid token, and not the key, can make of it.
fn tampered(token: &str) -> Vec<(&'static str, String)> {
    let (message, signature) = token.rsplit_once('.').unwrap();
    let (h, c) = message.split_once('.').unwrap();
    let (header, claims) = (part(token, 0), part(token, 1));
    let none = written(&with(&header, "alg", json!("none")));
    let none_oddly = written(&with(&header, "alg", json!("nOnE")));
    let asymmetric = written(&with(&header, "alg", json!("RS256")));
    let prolonged = written(&with(&claims, "exp", json!(99_999_999_999_u64)));
    vec![
        ("empty", String::new()),
        ("a word", "garbage".into()),
        ("dots", "..".into()),
        ("not base64", "a.b.c".into()),
        ("alg none, no signature", format!("{none}.{c}.")),
        ("alg none, the old signature", format!("{none}.{c}.{signature}")),
        ("alg nOnE, no signature", format!("{none_oddly}.{c}.")),
        ("alg RS256, the old signature", format!("{asymmetric}.{c}.{signature}")),
        ("a later expiry, the old signature", format!("{h}.{prolonged}.{signature}")),
        ("without a signature", format!("{message}.")),
        ("cut short", token[..token.len() - 4].into()),
        ("very long", "a".repeat(6_000)),
    ]
}

/// Tokens that are right but for one thing. Unless that is the key, the signature is what the server itself would
/// compute: none of them is refused for its signature.
fn with_one_fault(header: &Value, claims: &Value) -> Vec<(String, String)> {
    let now = claims["iat"].as_i64().unwrap();
    let genuine = |header: &Value, claims: &Value| signed(SECRET, hmac::HMAC_SHA256, header, claims);
    let nobody = json!("00000000-0000-7000-8000-000000000000");
    let wrong_claims = [
        ("exp", json!(now - 1)),
        ("exp", json!(now)),
        ("exp", json!("never")),
        ("exp", Value::Null),
        // Clocks may differ by two minutes.
        ("nbf", json!(now + 3_600)),
        ("iss", json!("another shop")),
        ("iss", Value::Null),
        ("aud", json!("another audience")),
        ("aud", Value::Null),
        ("sub", nobody.clone()),
        ("sub", json!("nobody")),
        ("sid", nobody),
        ("sid", Value::Null),
    ];
    let claiming =
        |(name, wrong): (&str, Value)| (format!("{name} is {wrong}"), genuine(header, &with(claims, name, wrong)));
    let lacking = |name: &&str| {
        let mut less = claims.clone();
        assert!(less.as_object_mut().unwrap().remove(*name).is_some(), "no {name} in {claims}");
        (format!("no {name}"), genuine(header, &less))
    };
    let mut made: Vec<_> = wrong_claims.into_iter().map(claiming).collect();
    made.extend(["exp", "iss", "aud", "sub", "sid"].iter().map(lacking));
    for (algorithm, name) in [(hmac::HMAC_SHA512, "HS512"), (hmac::HMAC_SHA384, "HS384"), (hmac::HMAC_SHA256, "none")] {
        made.push((name.to_owned(), signed(SECRET, algorithm, &with(header, "alg", json!(name)), claims)));
    }
    for id in ["another", "../../dev/null"] {
        made.push((format!("key {id}"), genuine(&with(header, "kid", json!(id)), claims)));
    }
    let other = "another secret of forty bytes, not known";
    made.push(("another key".to_owned(), signed(other, hmac::HMAC_SHA256, header, claims)));
    made
}

/// The answers of every route that takes a token, all to the same one.
async fn answers_to(token: &str, resources: &Resources, demo: &Demo) -> Vec<Answer> {
    let lines = TABLE.iter().filter(|line| !line.is_public() && !line.uses_session());
    all(lines.map(|line| line.call(resources).token(token).at(demo))).await
}

#[test]
fn a_token_is_a_jwt_of_fifteen_minutes_with_issuer_audience_and_key_id() {
    run(async {
        let user = User::new().await;
        // The e-mail address in the path is enough: no payload is needed.
        call("PUT", format!("/user/{}", user.email)).session(&user.session).await.is(200);
        let (header, claims) = (part(&user.token, 0), part(&user.token, 1));
        assert_eq!(header["alg"], "HS256");
        assert!(header["kid"].as_str().is_some_and(|kid| !kid.is_empty()));
        for claim in ["iss", "aud"] {
            assert!(!claims[claim].is_null(), "{claim} of {claims}");
        }
        assert_eq!(claims["exp"].as_u64().unwrap() - claims["iat"].as_u64().unwrap(), 15 * 60);
        assert!(!claims.to_string().contains("admin"), "no role in {claims}");
    });
}

#[test]
fn a_forged_token_authorizes_nothing() {
    run(async {
        let demo = Demo::open(&[("TOKEN_SECRET", SECRET)]);
        // What the paths name is on the shared server only: a token is refused before anything is looked up.
        let resources = Resources::of(User::new().await).await;
        let admin = User::log_in_at(&demo, "admin@example.com", "demo-password").await;
        let (header, claims) = (part(&admin.token, 0), part(&admin.token, 1));
        // Signed here, and accepted: the refusals below are for what each token has wrong.
        let control = signed(SECRET, hmac::HMAC_SHA256, &header, &claims);
        get("/user").token(&control).at(&demo).await.is(200);
        let begun = with(&claims, "nbf", json!(claims["iat"].as_i64().unwrap() - 3_600));
        get("/user").token(&signed(SECRET, hmac::HMAC_SHA256, &header, &begun)).at(&demo).await.is(200);
        let tampered = tampered(&admin.token).into_iter().map(|(what, token)| (what.to_owned(), token));
        for (what, forged) in tampered.chain(with_one_fault(&header, &claims)) {
            let answers = answers_to(&forged, &resources, &demo).await;
            assert!(answers.len() > 100, "{} routes", answers.len());
            for answer in answers {
                assert_eq!(answer.status, 401, "{what}: {answer}");
            }
            // What is public does not look at it.
            get("/products").token(&forged).at(&demo).await.is(200);
        }
        for scheme in ["Basic", "bearerX", "Token"] {
            let header = format!("{scheme} {control}");
            get("/user").header("authorization", header).at(&demo).await.is(401);
        }
        // Every route takes the control. This comes last, because some of the calls change something.
        for answer in answers_to(&control, &resources, &demo).await {
            assert_ne!(answer.status, 401, "the control: {answer}");
        }
    });
}

#[test]
fn public_endpoints_ignore_an_invalid_bearer_token() {
    run(async {
        let user = User::new().await;
        let resources = Resources::of(user.clone()).await;
        for (what, forged) in tampered(&user.token) {
            for line in TABLE.iter().filter(|line| line.is_public()) {
                let answer = line.call(&resources).token(&forged).await;
                assert_eq!(answer.status, 200, "{what}: {answer}");
            }
            get("/config").token(&forged).await.is(200);
        }
        get("/products").header("authorization", "\u{e9}\u{e9}").await.is(200);
    });
}

#[test]
fn a_token_is_revoked_with_its_session() {
    run(async {
        let user = User::new().await;
        let second = User::log_in(&user.email, PASSWORD).await;
        user.send(get("/orders")).await.is(200);
        call("POST", "/auth/logout").session(&user.session).await.is(204);
        user.send(get("/orders")).await.is(401);
        call("GET", "/auth/me").session(&user.session).await.is(401);
        call("PUT", format!("/user/{}", user.email)).session(&user.session).await.is(401);
        // It does not end another session of the same user.
        second.send(get("/orders")).await.is(200);
    });
}

#[test]
fn a_role_change_applies_to_issued_tokens_within_a_second() {
    run(async {
        let user = User::new().await;
        user.send(get("/user")).await.is(403);
        let role = format!("/user/admin/{}", user.email);
        let boss = admin().await;
        assert_eq!(boss.send(call("PUT", &*role)).await.is(200).json(), json!({"modifiedCount": 1}));
        eventually(Duration::from_secs(1), async || user.send(get("/user")).await.status == 200).await;
        assert_eq!(user.send(get(format!("/admin/{}", user.email))).await.is(200).json(), json!({"admin": true}));
        assert_eq!(boss.send(call("PUT", &*role)).await.is(200).json(), json!({"modifiedCount": 0}));
        assert_eq!(boss.send(delete(&*role)).await.is(200).json(), json!({"modifiedCount": 1}));
        eventually(Duration::from_secs(1), async || user.send(get("/user")).await.status == 403).await;
        assert_eq!(boss.send(delete(&*role)).await.is(200).json(), json!({"modifiedCount": 0}));
        assert_eq!(user.send(get(format!("/admin/{}", user.email))).await.is(200).json(), json!({"admin": false}));
    });
}

#[test]
fn a_removed_user_is_signed_out_immediately_and_their_orders_stay() {
    run(async {
        let user = User::new().await;
        let order = some_order(&user).await;
        let boss = admin().await;
        let path = format!("/user/{}", user.email);
        assert_eq!(boss.send(delete(&*path)).await.is(200).json(), json!({"deletedCount": 1}));
        eventually(Duration::from_secs(1), async || user.send(get("/orders")).await.status == 401).await;
        call("GET", "/auth/me").session(&user.session).await.is(401);
        call("PUT", &*path).session(&user.session).await.is(401);
        let credentials = json!({"email": user.email, "password": PASSWORD});
        post("/auth/login", &credentials).from(elsewhere()).await.is(401);
        let again = json!({"name": "Some Body", "email": user.email, "password": PASSWORD});
        let answer = post("/auth/signup", &again).await;
        assert!(matches!(answer.status, 401 | 409), "{answer}");
        boss.send(get(format!("/orders/{order}"))).await.is(200);
        let listed = boss.send(get(format!("/orders?email={}", user.email))).await.is(200).json();
        assert_eq!(listed[0]["_id"], order);
        let users = boss.send(get("/user")).await.is(200).json();
        assert!(!users.as_array().unwrap().iter().any(|one| one["email"] == user.email));
        boss.send(delete(&*path)).await.is(404);
        boss.send(call("PUT", format!("/user/admin/{}", user.email))).await.is(404);
        boss.send(delete(format!("/user/admin/{}", user.email))).await.is(404);
    });
}
