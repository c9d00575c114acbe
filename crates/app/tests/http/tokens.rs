//! Tokens that open nothing, and how soon a change of role or of a person bites.

use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use serde_json::{Value, json};

use crate::matrix::{TABLE, Thing};
use crate::shop::{call, delete, get, post, run};
use crate::things::{PASSWORD, Person, admin, elsewhere, eventually, some_order};

pub(crate) fn part(token: &str, nth: usize) -> Value {
    let part = token.split('.').nth(nth).unwrap();
    serde_json::from_slice(&BASE64.decode(part).unwrap()).unwrap()
}

pub(crate) fn written(value: &Value) -> String {
    BASE64.encode(value.to_string())
}

/// Tokens that look more or less like the one given, and are not.
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
        let person = Person::new().await;
        // The e-mail in the path says it all: a payload is not needed.
        call("PUT", format!("/user/{}", person.email)).session(&person.session).await.is(200);
        let (header, claims) = (part(&person.token, 0), part(&person.token, 1));
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
fn no_forged_token_opens_anything() {
    run(async {
        let person = Person::new_admin().await;
        let thing = Thing::of(person.clone()).await;
        for (what, forged) in forgeries(&person.token) {
            for line in TABLE.iter().filter(|line| !line.is_public()) {
                let answer = line.call(&thing).token(&forged).await;
                assert_eq!(answer.status, 401, "{what}: {answer}");
            }
        }
        for scheme in ["Basic", "bearerX", "Token"] {
            let header = format!("{scheme} {}", person.token);
            get("/user").header("authorization", header).await.is(401);
        }
        person.send(get("/user")).await.is(200);
    });
}

#[test]
fn public_answers_do_not_mind_a_bad_bearer() {
    run(async {
        let person = Person::new().await;
        let thing = Thing::of(person.clone()).await;
        for (what, forged) in forgeries(&person.token) {
            for line in TABLE.iter().filter(|line| line.is_public()) {
                let answer = line.call(&thing).token(&forged).await;
                assert_eq!(answer.status, 200, "{what}: {answer}");
            }
            get("/config").token(&forged).await.is(200);
        }
        get("/products").header("authorization", "\u{e9}\u{e9}").await.is(200);
    });
}

#[test]
fn a_token_dies_with_its_session() {
    run(async {
        let person = Person::new().await;
        let second = Person::log_in(&person.email, PASSWORD).await;
        person.send(get("/orders")).await.is(200);
        call("POST", "/auth/logout").session(&person.session).await.is(204);
        person.send(get("/orders")).await.is(401);
        call("GET", "/auth/me").session(&person.session).await.is(401);
        call("PUT", format!("/user/{}", person.email)).session(&person.session).await.is(401);
        // Another session of the same person is not ended by it.
        second.send(get("/orders")).await.is(200);
    });
}

#[test]
fn a_change_of_role_bites_within_a_second_on_tokens_that_are_out() {
    run(async {
        let person = Person::new().await;
        person.send(get("/user")).await.is(403);
        let role = format!("/user/admin/{}", person.email);
        let boss = admin().await;
        assert_eq!(boss.send(call("PUT", &*role)).await.is(200).json(), json!({"modifiedCount": 1}));
        eventually(Duration::from_secs(1), async || person.send(get("/user")).await.status == 200).await;
        assert_eq!(person.send(get(format!("/admin/{}", person.email))).await.is(200).json(), json!({"admin": true}));
        assert_eq!(boss.send(call("PUT", &*role)).await.is(200).json(), json!({"modifiedCount": 0}));
        assert_eq!(boss.send(delete(&*role)).await.is(200).json(), json!({"modifiedCount": 1}));
        eventually(Duration::from_secs(1), async || person.send(get("/user")).await.status == 403).await;
        assert_eq!(boss.send(delete(&*role)).await.is(200).json(), json!({"modifiedCount": 0}));
        assert_eq!(person.send(get(format!("/admin/{}", person.email))).await.is(200).json(), json!({"admin": false}));
    });
}

#[test]
fn a_removed_person_is_out_at_once_and_stays_out_and_their_orders_stay() {
    run(async {
        let person = Person::new().await;
        let order = some_order(&person).await;
        let boss = admin().await;
        let path = format!("/user/{}", person.email);
        assert_eq!(boss.send(delete(&*path)).await.is(200).json(), json!({"deletedCount": 1}));
        eventually(Duration::from_secs(1), async || person.send(get("/orders")).await.status == 401).await;
        call("GET", "/auth/me").session(&person.session).await.is(401);
        call("PUT", &*path).session(&person.session).await.is(401);
        let credentials = json!({"email": person.email, "password": PASSWORD});
        post("/auth/login", &credentials).from(elsewhere()).await.is(401);
        let again = json!({"name": "Some Body", "email": person.email, "password": PASSWORD});
        let answer = post("/auth/signup", &again).await;
        assert!(matches!(answer.status, 401 | 409), "{answer}");
        boss.send(get(format!("/orders/{order}"))).await.is(200);
        let listed = boss.send(get(format!("/orders?email={}", person.email))).await.is(200).json();
        assert_eq!(listed[0]["_id"], order);
        let people = boss.send(get("/user")).await.is(200).json();
        assert!(!people.as_array().unwrap().iter().any(|one| one["email"] == person.email));
        boss.send(delete(&*path)).await.is(404);
        boss.send(call("PUT", format!("/user/admin/{}", person.email))).await.is(404);
        boss.send(delete(format!("/user/admin/{}", person.email))).await.is(404);
    });
}
