//! Calls that another site's page makes in somebody's browser.

use serde_json::json;

use crate::shop::{Call, call, get, post, run};
use crate::things::{PASSWORD, Person};

/// What a browser says of a page that is not the shop's.
const FOREIGN: [&[(&str, &str)]; 6] = [
    &[("sec-fetch-site", "cross-site"), ("origin", "https://evil.example.com")],
    &[("sec-fetch-site", "same-site")],
    &[("sec-fetch-site", "cross-site")],
    &[("origin", "https://evil.example.com")],
    &[("origin", "null")],
    &[("sec-fetch-site", "same-origin"), ("origin", "https://evil.example.com")],
];

fn saying(call: Call, said: &[(&'static str, &'static str)]) -> Call {
    said.iter().fold(call, |call, (name, value)| call.header(name, *value))
}

/// Every call that changes something and reads the cookie, or sets it, as the interface's own description lists them.
async fn calls_with_the_cookie(person: &Person) -> Vec<Call> {
    let described = get("/openapi.json").await.is(200).json();
    let mut calls = Vec::new();
    for (path, item) in described["paths"].as_object().unwrap() {
        if !path.starts_with("/auth/") && path != "/user/{email}" {
            continue;
        }
        for (method, operation) in item.as_object().unwrap() {
            if method == "get" || path == "/user/{email}" && method != "put" {
                continue;
            }
            assert!(path != "/user/{email}" || operation["security"].to_string().contains("session"));
            let path = path.replace("{email}", &person.email).replace("{id}", "00000000-0000-7000-8000-000000000000");
            calls.push(call(&method.to_uppercase(), path).session(&person.session).json(&json!({})));
        }
    }
    calls
}

#[test]
fn a_foreign_page_makes_no_call_that_reads_or_sets_the_cookie() {
    run(async {
        let person = Person::new().await;
        let calls = calls_with_the_cookie(&person).await;
        assert!(calls.len() >= 8, "{}", calls.len());
        for said in FOREIGN {
            for call in &calls {
                let answer = saying(call.clone(), said).await.is(403);
                assert_eq!(answer.headers.get_all("set-cookie").iter().count(), 0, "{answer}");
                assert_eq!(answer.json()["type"], "/problems/foreign-page", "{answer}");
            }
        }
        // Nothing has happened: the session stands.
        get("/auth/me").session(&person.session).await.is(200);
    });
}

#[test]
fn the_shops_own_pages_and_whoever_is_no_browser_are_let_in() {
    run(async {
        let person = Person::new().await;
        let log_in = post("/auth/login", &json!({"email": person.email, "password": PASSWORD}));
        log_in.clone().await.is(200);
        for said in [
            &[("sec-fetch-site", "same-origin")][..],
            &[("sec-fetch-site", "none")],
            &[("sec-fetch-site", "same-origin"), ("origin", "null")],
        ] {
            saying(log_in.clone(), said).await.is(200);
        }
        let own = crate::shop::shared_address();
        log_in.clone().header("origin", own.clone()).header("sec-fetch-site", "same-origin").await.is(200);
        log_in.header("origin", own).await.is(200);
    });
}

#[test]
fn what_reads_no_cookie_does_not_ask_where_a_call_comes_from() {
    run(async {
        let person = Person::new().await;
        for said in FOREIGN {
            saying(get("/products?limit=1"), said).await.is(200);
            saying(person.send(get("/orders")), said).await.is(200);
            saying(post("/newsletter", &json!({"email": "reader@example.com"})), said).await.is(202);
        }
    });
}
