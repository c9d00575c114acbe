//! Invalid tokens, and how soon a role change or a removal takes effect.

use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use serde_json::{Value, json};

use crate::fixtures::{PASSWORD, User, admin, elsewhere, eventually, some_order};
use crate::matrix::{Resources, TABLE};
use crate::server::{call, delete, get, post, run};

pub(crate) fn part(token: &str, nth: usize) -> Value {
    let part = token.split('.').nth(nth).unwrap();
    serde_json::from_slice(&BASE64.decode(part).unwrap()).unwrap()
}

pub(crate) fn written(value: &Value) -> String {
    BASE64.encode(value.to_string())
}

/// Tokens that resemble the given one, but are invalid.
fn forgeries(token: &str) -> Vec<(&'static str, String)> {
    let (header, claims) = (part(token, 0), part(token, 1));
    let signature = token.split('.').nth(2).unwrap();
    let with = |mut value: Value, name: &str, changed: Value| {
        value[name] = changed;
        value
    };
    let none = with(header.clone(), "alg", json!("none"));
    let none_oddly = with(header.clone(), "alg", json!("nOnE"));
    let asymmetric = with(header.clone(), "alg", json!("RS256"));
    let other_key = with(header.clone(), "kid", json!("../../dev/null"));
    let expired = with(claims.clone(), "exp", json!(1_000_000_000));
    let forever = with(claims.clone(), "exp", json!(99_999_999_999_u64));
    let (h, c) = (written(&header), written(&claims));
    vec![
        ("empty", String::new()),
        ("a word", "garbage".into()),
        ("dots", "..".into()),
        ("not base64", "a.b.c".into()),
        ("alg none, no signature", format!("{}.{c}.", written(&none))),
        ("alg none, the old signature", format!("{}.{c}.{signature}", written(&none))),
        ("alg nOnE", format!("{}.{c}.", written(&none_oddly))),
        ("another algorithm", format!("{}.{c}.{signature}", written(&asymmetric))),
        ("another key", format!("{}.{c}.{signature}", written(&other_key))),
        ("expired", format!("{h}.{}.{signature}", written(&expired))),
        ("never expiring", format!("{h}.{}.{signature}", written(&forever))),
        ("without a signature", format!("{h}.{c}.")),
        ("cut short", token[..token.len() - 4].into()),
        ("very long", "a".repeat(6_000)),
    ]
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
        let user = User::new_admin().await;
        let resources = Resources::of(user.clone()).await;
        for (what, forged) in forgeries(&user.token) {
            for line in TABLE.iter().filter(|line| !line.is_public()) {
                let answer = line.call(&resources).token(&forged).await;
                assert_eq!(answer.status, 401, "{what}: {answer}");
            }
        }
        for scheme in ["Basic", "bearerX", "Token"] {
            let header = format!("{scheme} {}", user.token);
            get("/user").header("authorization", header).await.is(401);
        }
        user.send(get("/user")).await.is(200);
    });
}

#[test]
fn public_endpoints_ignore_an_invalid_bearer_token() {
    run(async {
        let user = User::new().await;
        let resources = Resources::of(user.clone()).await;
        for (what, forged) in forgeries(&user.token) {
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
