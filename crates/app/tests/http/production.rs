//! The shop as it runs in production, by https and behind a proxy: what a demo does not have, and what only it has not.

use serde_json::{Value, json};

use crate::shop::{Answer, Call, Demo, call, delete, get, post, run};
use crate::things::{PASSWORD, Person};

const PARTNER: &str = "https://partner.example.com";

#[test]
fn a_shop_in_production() {
    run(async {
        let (shop, _) = Demo::serve(&[
            ("PUBLIC_URL", "https://shop.example.com"),
            // The Postgres of tests forgoes what a power cut would ask of it.
            ("DATABASE_DURABILITY", "trusted"),
            ("CORS_ORIGINS", PARTNER),
            ("TRUSTED_PROXIES", "127.0.0.0/8"),
            ("READ_LIMIT_PER_SECOND", "5"),
            ("READ_LIMIT_BURST", "200"),
        ]);
        figures_are_on_a_port_of_their_own(&shop).await;
        sandboxes_are_neither_served_nor_described(&shop).await;
        the_session_has_a_cookie_that_no_sub_domain_can_plant(&shop).await;
        an_allowed_origin_may_what_a_foreign_one_may_not(&shop).await;
        who_guesses_behind_a_proxy_does_not_choose_the_address_that_counts(&shop).await;
        whoever_looks_too_often_waits_and_nobody_else_does(&shop).await;
        an_account_that_never_paid_writes_one_review_a_day(&shop).await;
        the_newsletter_is_no_store_for_whatever_one_client_likes(&shop).await;
        answers_are_not_remembered_for_strangers_without_end(&shop).await;
        one_client_has_few_e_mails_sent(&shop).await;
    });
}

async fn figures_are_on_a_port_of_their_own(shop: &Demo) {
    get("/metrics").at(shop).await.is(404);
    let metrics = shop.metrics.clone().unwrap();
    let answer = reqwest::get(format!("{metrics}/metrics")).await.unwrap();
    assert_eq!(answer.status(), 200);
    assert!(answer.headers()["content-type"].to_str().unwrap().starts_with("text/plain"));
    assert!(answer.text().await.unwrap().contains("http_requests_total"));
    for path in ["/", "/products", "/health/live", "/openapi.json"] {
        assert_eq!(reqwest::get(format!("{metrics}{path}")).await.unwrap().status(), 404, "{path}");
    }
}

async fn sandboxes_are_neither_served_nor_described(shop: &Demo) {
    let described: Value = get("/openapi.json").at(shop).await.is(200).json();
    let paths = described["paths"].as_object().unwrap();
    assert!(paths.contains_key("/orders") && paths.contains_key("/webhooks/stripe"));
    assert!(paths.keys().all(|path| !path.starts_with("/sandbox") && path != "/metrics"), "{:?}", paths.keys());
    for (method, path) in [
        ("POST", "/sandbox/payment-intents/confirm"),
        ("GET", "/sandbox/google"),
        ("GET", "/sandbox/google/continue"),
        ("GET", "/sandbox/google.css"),
    ] {
        call(method, path).at(shop).await.is(404);
    }
}

/// The session's secret as a cookie of this name holds it.
fn planted(call: Call, name: &str, secret: &str) -> Call {
    call.header("cookie", format!("{name}={secret}"))
}

fn cookie(answer: &Answer, name: &str) -> (String, String) {
    answer.cookie(name).unwrap_or_else(|| panic!("no {name}: {answer}"))
}

async fn the_session_has_a_cookie_that_no_sub_domain_can_plant(shop: &Demo) {
    let sent = json!({"name": "Some Body", "email": Person::fresh_email(), "password": PASSWORD});
    let answer = post("/auth/signup", &sent).at(shop).await.is(201);
    let (secret, attributes) = cookie(&answer, "__Host-session");
    for attribute in ["Secure", "HttpOnly", "Path=/", "SameSite=Lax"] {
        assert!(attributes.contains(attribute), "{attributes}");
    }
    assert!(!attributes.contains("Domain"), "{attributes}");
    assert_eq!(cookie(&answer, "session").0, secret, "the one of the contract is there too");
    let me = || get("/auth/me").at(shop);
    planted(me(), "__Host-session", &secret).await.is(200);
    planted(me(), "session", &secret).await.is(200);
    // Whoever plants the other one does not sign anybody in as somebody else.
    let other = Person::new_at(shop).await;
    let both = me().header("cookie", format!("session={}; __Host-session={secret}", other.session));
    assert_eq!(both.await.is(200).json()["email"], sent["email"]);
    let gone = planted(call("POST", "/auth/logout").at(shop), "__Host-session", &secret).await.is(204);
    for name in ["__Host-session", "session", "signed-in"] {
        let (value, attributes) = cookie(&gone, name);
        assert!(value.is_empty() && attributes.contains("Max-Age=0") && attributes.contains("Secure"), "{gone}");
    }
    planted(me(), "session", &secret).await.is(401);
}

async fn an_allowed_origin_may_what_a_foreign_one_may_not(shop: &Demo) {
    let person = Person::new_at(shop).await;
    let log_in = || post("/auth/login", &json!({"email": person.email, "password": PASSWORD})).at(shop);
    log_in().header("origin", PARTNER).header("sec-fetch-site", "cross-site").await.is(200);
    log_in().header("origin", "https://shop.example.com").await.is(200);
    for origin in ["https://evil.example.com", "https://shop.example.com.evil.example", "http://shop.example.com"] {
        log_in().header("origin", origin).header("sec-fetch-site", "cross-site").await.is(403);
        log_in().header("origin", origin).await.is(403);
    }
    let rename = || call("PATCH", "/auth/me").json(&json!({"displayName": "X"})).session(&person.session).at(shop);
    rename().header("origin", PARTNER).await.is(200);
    rename().header("origin", "https://blog.shop.example.com").header("sec-fetch-site", "same-site").await.is(403);
    delete("/auth/nothing").at(shop).header("origin", PARTNER).await.is(404);
}

async fn who_guesses_behind_a_proxy_does_not_choose_the_address_that_counts(shop: &Demo) {
    let person = Person::new_at(shop).await;
    let wrong = json!({"email": person.email, "password": "not the one"});
    let mut statuses = Vec::new();
    for nth in 0..15 {
        // The proxy writes a port, and the client has written an address of its own in front.
        let said = format!("6.6.6.{nth}, 203.0.113.9:4711");
        statuses.push(post("/auth/login", &wrong).at(shop).header("x-forwarded-for", said).await.status);
    }
    assert_eq!(statuses.iter().filter(|status| **status == 401).count(), 10, "{statuses:?}");
    assert!(statuses[10..].iter().all(|status| *status == 429), "{statuses:?}");
    let right = json!({"email": person.email, "password": PASSWORD});
    post("/auth/login", &right).at(shop).header("x-forwarded-for", "198.51.100.7").await.is(200);
}

async fn whoever_looks_too_often_waits_and_nobody_else_does(shop: &Demo) {
    let from = |address: String, path: &str| get(path).at(shop).header("x-forwarded-for", address);
    // One of many addresses of a network that one customer has.
    let mut refused = None;
    for nth in 0..400 {
        let answer = from(format!("2001:db8:1:2::{nth:x}"), "/products?limit=1").await;
        if answer.status != 200 {
            refused = Some(answer);
            break;
        }
    }
    let refused = refused.expect("nobody was told to wait");
    assert!(refused.header("retry-after").parse::<u64>().unwrap() >= 1, "{refused}");
    assert_eq!(refused.clone().refused(429)["type"], "/problems/rate-limited");
    let here = || "2001:db8:1:2::ffff".to_owned();
    from(here(), "/").header("accept", "text/html").await.is(429);
    // Whoever watches over the shop is never told to wait, and files are not counted.
    from(here(), "/health/live").await.is(200);
    from(here(), "/health/ready").await.is(200);
    from(here(), "/favicon.svg").await;
    // Nor is a neighbour.
    from("2001:db8:1:3::1".to_owned(), "/products?limit=1").await.is(200);
}

async fn an_account_that_never_paid_writes_one_review_a_day(shop: &Demo) {
    let writer = Person::new_at(shop).await;
    let review = |details: &str| {
        let sent = json!({"name": "Driveline (official)", "rating": 5, "details": details});
        writer.send(post("/reviews", &sent)).at(shop)
    };
    let first = review("First.").key("the first one").await.is(201);
    let refused = review("Second.").await;
    let wait: u64 = refused.header("retry-after").parse().unwrap();
    assert!((86_000..=86_400).contains(&wait), "{refused}");
    let problem = refused.refused(429);
    assert_eq!(problem["type"], "/problems/one-review-a-day");
    assert_eq!(problem["message"], "You can write one review a day until you have paid for an order");
    assert_eq!(review("First.").key("the first one").await.is(201).json(), first.json(), "a copy is the same one");
    Person::new_at(shop)
        .await
        .send(post("/reviews", &json!({"name": "A", "rating": 5, "details": "B"})))
        .at(shop)
        .await
        .is(201);
}

async fn the_newsletter_is_no_store_for_whatever_one_client_likes(shop: &Demo) {
    let leave = |nth: u32, from: &str| {
        let sent = json!({"email": format!("reader.{nth}@example.com")});
        post("/newsletter", &sent).at(shop).header("x-forwarded-for", from)
    };
    let mut taken = 0;
    for nth in 0..300 {
        if leave(nth, "203.0.113.77").await.status == 202 {
            taken += 1;
        }
    }
    // A hundred at once, and one a second from then on.
    assert!((100..200).contains(&taken), "{taken}");
    leave(1_000, "203.0.113.78").await.is(202);
}

async fn answers_are_not_remembered_for_strangers_without_end(shop: &Demo) {
    let asked = |nth: u32, from: &str| {
        let call = post("/auth/password/reset", &json!({"token": "none", "password": "torque wrench"})).at(shop);
        call.header("x-forwarded-for", from).header("idempotency-key", format!("key-{nth}"))
    };
    let mut answered = 0;
    for nth in 0..300 {
        if asked(nth, "203.0.113.80").await.status == 410 {
            answered += 1;
        }
    }
    assert!((100..200).contains(&answered), "{answered}");
    asked(1_000, "203.0.113.81").await.is(410);
}

/// Each is to an address of its own, so that no limit per address helps.
async fn one_client_has_few_e_mails_sent(shop: &Demo) {
    let forgot = |nth: u32, from: &str| {
        let call = post("/auth/password/forgot", &json!({"email": format!("nobody.{nth}@example.com")})).at(shop);
        call.header("x-forwarded-for", from)
    };
    let mut taken = 0;
    for nth in 0..100 {
        let answer = forgot(nth, "203.0.113.90").await;
        if answer.status == 202 {
            taken += 1;
        } else {
            assert!(answer.is(429).header("retry-after").parse::<u32>().unwrap() <= 6);
        }
    }
    // Thirty at once, and ten a minute from then on.
    assert!((30..40).contains(&taken), "{taken}");
    let person = json!({"name": "Some Body", "email": "some.body@example.com", "password": "torque wrench"});
    post("/auth/signup", &person).at(shop).header("x-forwarded-for", "203.0.113.90").await.is(429);
    // The same route, spelt another way.
    let spelt = post("/auth/password/forg%6Ft", &json!({"email": "nobody@example.com"})).at(shop);
    spelt.header("x-forwarded-for", "203.0.113.90").await.is(429);
    forgot(1_000, "203.0.113.91").await.is(202);
}
