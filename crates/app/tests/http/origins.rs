//! Cross-site requests from another site's page in a user's browser.

use serde_json::json;

use crate::fixtures::{PASSWORD, User};
use crate::server::{Call, call, get, post, run};

/// The headers that a browser sends for a page of another site.
const FOREIGN: [&[(&str, &str)]; 6] = [
    &[("sec-fetch-site", "cross-site"), ("origin", "https://evil.example.com")],
    &[("sec-fetch-site", "same-site")],
    &[("sec-fetch-site", "cross-site")],
    &[("origin", "https://evil.example.com")],
    &[("origin", "null")],
    &[("sec-fetch-site", "same-origin"), ("origin", "https://evil.example.com")],
];

fn with_headers(call: Call, headers: &[(&'static str, &'static str)]) -> Call {
    headers.iter().fold(call, |call, (name, value)| call.header(name, *value))
}

/// Every call that changes something and reads or sets the cookie, as the `OpenAPI` document lists them.
async fn calls_with_the_cookie(user: &User) -> Vec<Call> {
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
            let path = path.replace("{email}", &user.email).replace("{id}", "00000000-0000-7000-8000-000000000000");
            calls.push(call(&method.to_uppercase(), path).session(&user.session).json(&json!({})));
        }
    }
    calls
}

#[test]
fn a_cross_site_request_that_reads_or_sets_the_cookie_is_refused() {
    run(async {
        let user = User::new().await;
        let calls = calls_with_the_cookie(&user).await;
        assert!(calls.len() >= 8, "{}", calls.len());
        for headers in FOREIGN {
            for call in &calls {
                let answer = with_headers(call.clone(), headers).await.is(403);
                assert_eq!(answer.headers.get_all("set-cookie").iter().count(), 0, "{answer}");
                assert_eq!(answer.json()["type"], "/problems/foreign-page", "{answer}");
            }
        }
        // Nothing has changed: the session is still valid.
        get("/auth/me").session(&user.session).await.is(200);
    });
}

#[test]
fn the_shops_own_pages_and_non_browser_clients_are_allowed() {
    run(async {
        let user = User::new().await;
        let log_in = post("/auth/login", &json!({"email": user.email, "password": PASSWORD}));
        log_in.clone().await.is(200);
        for headers in [
            &[("sec-fetch-site", "same-origin")][..],
            &[("sec-fetch-site", "none")],
            &[("sec-fetch-site", "same-origin"), ("origin", "null")],
        ] {
            with_headers(log_in.clone(), headers).await.is(200);
        }
        let own = crate::server::shared_address();
        log_in.clone().header("origin", own.clone()).header("sec-fetch-site", "same-origin").await.is(200);
        log_in.header("origin", own).await.is(200);
    });
}

#[test]
fn calls_without_the_cookie_are_allowed_from_any_origin() {
    run(async {
        let user = User::new().await;
        for headers in FOREIGN {
            with_headers(get("/products?limit=1"), headers).await.is(200);
            with_headers(user.send(get("/orders")), headers).await.is(200);
            with_headers(post("/newsletter", &json!({"email": "reader@example.com"})), headers).await.is(202);
        }
    });
}
