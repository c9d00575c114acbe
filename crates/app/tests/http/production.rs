//! The server as in production, over https and behind a proxy: what a demo does not have, and what only a demo has.

use reqwest::Method;
use reqwest::header::HeaderMap;
use serde_json::{Value, json};

use crate::fixtures::{PASSWORD, User};
use crate::server::{Answer, Call, Demo, all, call, delete, get, post, run};

const PARTNER: &str = "https://partner.example.com";

#[test]
fn a_shop_in_production() {
    run(async {
        let (shop, _) = Demo::serve(&[
            ("PUBLIC_URL", "https://shop.example.com"),
            // The Postgres of the tests runs without fsync.
            ("DATABASE_DURABILITY", "trusted"),
            ("CORS_ORIGINS", PARTNER),
            ("TRUSTED_PROXIES", "127.0.0.0/8"),
            ("READ_LIMIT_PER_SECOND", "5"),
            ("READ_LIMIT_BURST", "200"),
            ("SHOP_COMPANY", "Vale Parts LLC"),
            ("SHOP_EMAIL", "support@vale.example"),
            ("UNPAID_ORDER_HOLD_HOURS", "48"),
        ]);
        metrics_are_on_their_own_port(&shop).await;
        sandboxes_are_neither_served_nor_described(&shop).await;
        browsers_are_sent_to_stripe_and_only_stripe_sends_events(&shop).await;
        the_session_cookie_cannot_be_set_by_a_subdomain(&shop).await;
        an_allowed_origin_is_accepted_and_a_foreign_one_is_not(&shop).await;
        only_the_partners_pages_may_read_responses(&shop).await;
        a_client_behind_a_proxy_cannot_choose_the_address_that_counts(&shop).await;
        reads_are_limited_per_network(&shop).await;
        an_account_that_never_paid_writes_one_review_a_day(&shop).await;
        newsletter_sign_ups_are_limited_per_client(&shop).await;
        stored_responses_of_unauthenticated_clients_are_limited(&shop).await;
        requested_emails_are_limited_per_client(&shop).await;
        browsers_defects_are_counted_and_limited_per_client(&shop).await;
    });
}

async fn metrics_are_on_their_own_port(shop: &Demo) {
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
    assert!(paths.contains_key("/orders") && paths.contains_key("/webhooks/{provider}"));
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

async fn browsers_are_sent_to_stripe_and_only_stripe_sends_events(shop: &Demo) {
    let config: Value = get("/config").at(shop).await.is(200).json();
    assert_eq!(config["paymentProvider"], "stripe");
    assert_eq!((&config["publishableKey"], &config["google"]), (&json!("pk_test_nobody"), &json!(false)));
    // What is not set is not made up.
    let contact = json!({
        "name": "Driveline",
        "company": "Vale Parts LLC",
        "email": "support@vale.example",
        "phone": null,
        "address": null,
        "supportHours": null,
    });
    assert_eq!(config["shop"], contact);
    // What customers read of unpaid orders is what this shop does.
    let unpaid_orders = json!({"minutes": 2880, "minutesForNewAccounts": 60, "mostForNewAccounts": 20});
    assert_eq!(config["unpaidOrders"], unpaid_orders);
    let event = json!({"id": "evt_1", "type": "payment_intent.succeeded", "data": {"object": {"id": "pi_1"}}});
    let send = |path: &str| post(path, &event).at(shop).header("stripe-signature", "t=1,v1=00");
    let refused = send("/webhooks/stripe").await.refused(400);
    assert_eq!(refused["detail"], "This message isn't signed by the payment provider");
    for other in ["/webhooks/sandbox", "/webhooks/paypal", "/webhooks/Stripe", "/webhooks/stripe%20"] {
        assert_eq!(send(other).await.refused(404)["type"], "/problems/not-found", "{other}");
    }
    call("POST", "/webhooks/").at(shop).await.is(404);
}

/// A call with the session's secret in a cookie of this name.
fn with_cookie(call: Call, name: &str, secret: &str) -> Call {
    call.header("cookie", format!("{name}={secret}"))
}

fn cookie(answer: &Answer, name: &str) -> (String, String) {
    answer.cookie(name).unwrap_or_else(|| panic!("no {name}: {answer}"))
}

async fn the_session_cookie_cannot_be_set_by_a_subdomain(shop: &Demo) {
    let sent = json!({"name": "Some Body", "email": User::fresh_email(), "password": PASSWORD});
    let answer = post("/auth/signup", &sent).at(shop).await.is(201);
    let (secret, attributes) = cookie(&answer, "__Host-session");
    for attribute in ["Secure", "HttpOnly", "Path=/", "SameSite=Lax"] {
        assert!(attributes.contains(attribute), "{attributes}");
    }
    assert!(!attributes.contains("Domain"), "{attributes}");
    assert_eq!(cookie(&answer, "session").0, secret, "the documented cookie is set too");
    let me = || get("/auth/me").at(shop);
    with_cookie(me(), "__Host-session", &secret).await.is(200);
    with_cookie(me(), "session", &secret).await.is(200);
    // A with_cookie `session` cookie does not sign anyone in as another user.
    let other = User::new_at(shop).await;
    let both = me().header("cookie", format!("session={}; __Host-session={secret}", other.session));
    assert_eq!(both.await.is(200).json()["email"], sent["email"]);
    let gone = with_cookie(call("POST", "/auth/logout").at(shop), "__Host-session", &secret).await.is(204);
    for name in ["__Host-session", "session", "signed-in"] {
        let (value, attributes) = cookie(&gone, name);
        assert!(value.is_empty() && attributes.contains("Max-Age=0") && attributes.contains("Secure"), "{gone}");
    }
    with_cookie(me(), "session", &secret).await.is(401);
}

async fn an_allowed_origin_is_accepted_and_a_foreign_one_is_not(shop: &Demo) {
    let user = User::new_at(shop).await;
    let log_in = || post("/auth/login", &json!({"email": user.email, "password": PASSWORD})).at(shop);
    log_in().header("origin", PARTNER).header("sec-fetch-site", "cross-site").await.is(200);
    log_in().header("origin", "https://shop.example.com").await.is(200);
    for origin in ["https://evil.example.com", "https://shop.example.com.evil.example", "http://shop.example.com"] {
        log_in().header("origin", origin).header("sec-fetch-site", "cross-site").await.is(403);
        log_in().header("origin", origin).await.is(403);
    }
    let rename = || call("PATCH", "/auth/me").json(&json!({"displayName": "X"})).session(&user.session).at(shop);
    rename().header("origin", PARTNER).await.is(200);
    rename().header("origin", "https://blog.shop.example.com").header("sec-fetch-site", "same-site").await.is(403);
    delete("/auth/nothing").at(shop).header("origin", PARTNER).await.is(404);
}

/// The origins whose pages may read a response.
fn allowed_origins(headers: &HeaderMap) -> Vec<&str> {
    headers.get_all("access-control-allow-origin").iter().map(|value| value.to_str().unwrap()).collect()
}

/// What a browser asks before a page of another origin may place an order. It is not a [`Call`]: those expect a problem
/// in every refusal, and the CORS middleware refuses in plain text.
async fn preflight(shop: &Demo, origin: &str) -> reqwest::Response {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = client.request(Method::OPTIONS, format!("{}/orders", shop.address()));
    let request = request.header("origin", origin).header("access-control-request-method", "POST");
    request.header("access-control-request-headers", "authorization,content-type").send().await.unwrap()
}

async fn only_the_partners_pages_may_read_responses(shop: &Demo) {
    let reads = || [("/products?limit=1", 200), ("/orders", 401)].map(|(path, status)| (get(path).at(shop), status));
    for (read, status) in reads() {
        let answer = read.header("origin", PARTNER).await.is(status);
        assert_eq!(allowed_origins(&answer.headers), [PARTNER], "{answer}");
    }
    let allowed = preflight(shop, PARTNER).await;
    assert_eq!((allowed.status().as_u16(), allowed_origins(allowed.headers())), (200, vec![PARTNER]));
    for origin in [
        "https://evil.example",
        "https://partner.example.com.evil.example",
        "https://evilpartner.example.com",
        "https://evil.partner.example.com",
        "https://example.com",
        "https://partner.example.com:8443",
        "http://partner.example.com",
        "null",
    ] {
        for (read, status) in reads() {
            let answer = read.header("origin", origin).await.is(status);
            assert!(allowed_origins(&answer.headers).is_empty(), "{origin}: {answer}");
        }
        let refused = preflight(shop, origin).await;
        assert!(refused.status().is_client_error(), "{origin}: {refused:?}");
        assert!(allowed_origins(refused.headers()).is_empty(), "{origin}: {refused:?}");
    }
    // A response to the partner's pages is not sent again to a client that names no origin.
    for (read, status) in reads() {
        let answer = read.await.is(status);
        assert!(allowed_origins(&answer.headers).is_empty(), "{answer}");
    }
}

async fn a_client_behind_a_proxy_cannot_choose_the_address_that_counts(shop: &Demo) {
    let user = User::new_at(shop).await;
    let wrong = json!({"email": user.email, "password": "not the one"});
    let mut statuses = Vec::new();
    for nth in 0..15 {
        // The proxy appends an address with a port; the client has put an invented address in front.
        let forwarded = format!("6.6.6.{nth}, 203.0.113.9:4711");
        statuses.push(post("/auth/login", &wrong).at(shop).header("x-forwarded-for", forwarded).await.status);
    }
    assert_eq!(statuses.iter().filter(|status| **status == 401).count(), 10, "{statuses:?}");
    assert!(statuses[10..].iter().all(|status| *status == 429), "{statuses:?}");
    let right = json!({"email": user.email, "password": PASSWORD});
    post("/auth/login", &right).at(shop).header("x-forwarded-for", "198.51.100.7").await.is(200);
}

async fn reads_are_limited_per_network(shop: &Demo) {
    let from = |address: String, path: &str| get(path).at(shop).header("x-forwarded-for", address);
    // Many addresses of the network of a single client.
    let mut refused = None;
    for nth in 0..400 {
        let answer = from(format!("2001:db8:1:2::{nth:x}"), "/products?limit=1").await;
        if answer.status != 200 {
            refused = Some(answer);
            break;
        }
    }
    let refused = refused.expect("no request was limited");
    assert!(refused.header("retry-after").parse::<u64>().unwrap() >= 1, "{refused}");
    assert_eq!(refused.clone().refused(429)["type"], "/problems/rate-limited");
    let here = || "2001:db8:1:2::ffff".to_owned();
    // One call in 200 ms is allowed again, so these are sent at once: a busy machine may take that long for each.
    let pages = all((0..10).map(|_| from(here(), "/").header("accept", "text/html"))).await;
    let pages: Vec<u16> = pages.iter().map(|page| page.status).collect();
    assert!(pages.contains(&429), "{pages:?}");
    // Monitoring is never limited, and static files are not counted.
    from(here(), "/health/live").await.is(200);
    from(here(), "/health/ready").await.is(200);
    from(here(), "/favicon.svg").await;
    // Neither is a neighbouring network.
    from("2001:db8:1:3::1".to_owned(), "/products?limit=1").await.is(200);
}

async fn an_account_that_never_paid_writes_one_review_a_day(shop: &Demo) {
    let writer = User::new_at(shop).await;
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
    assert_eq!(
        problem["message"],
        "You can write one review a day until you've paid for an order. Please come back tomorrow."
    );
    assert_eq!(
        review("First.").key("the first one").await.is(201).json(),
        first.json(),
        "a repeated request gets the same review"
    );
    User::new_at(shop)
        .await
        .send(post("/reviews", &json!({"name": "A", "rating": 5, "details": "B"})))
        .at(shop)
        .await
        .is(201);
}

async fn newsletter_sign_ups_are_limited_per_client(shop: &Demo) {
    let leave = |nth: u32, from: &str| {
        let sent = json!({"email": format!("reader.{nth}@example.com")});
        post("/newsletter", &sent).at(shop).header("x-forwarded-for", from)
    };
    let mut accepted = 0;
    for nth in 0..300 {
        if leave(nth, "203.0.113.77").await.status == 202 {
            accepted += 1;
        }
    }
    // A hundred immediately, and then one a second.
    assert!((100..200).contains(&accepted), "{accepted}");
    leave(1_000, "203.0.113.78").await.is(202);
    let unsubscribe = |from: &str| {
        let sent = json!({"email": "reader.1@example.com"});
        call("DELETE", "/newsletter").json(&sent).at(shop).header("x-forwarded-for", from)
    };
    let refused = all((0..20).map(|_| unsubscribe("203.0.113.77"))).await.into_iter().filter(|one| one.status == 429);
    assert!(refused.count() > 10, "nobody may try out who reads the newsletter");
    unsubscribe("203.0.113.78").await.is(202);
}

async fn browsers_defects_are_counted_and_limited_per_client(shop: &Demo) {
    let report = |route: &str, from: &str| {
        let sent = json!({"kind": "render", "route": route, "message": "TypeError: x is null", "build": "main-1.js"});
        post("/client-errors", &sent).at(shop).header("x-forwarded-for", from)
    };
    let refused = report("/user/ada@example.com", "203.0.113.90").await;
    assert_eq!(refused.status, 422);
    assert!(refused.field("route").contains("a path in which names are written as :id"));
    let mut noted = 0;
    for _ in 0..40 {
        if report("/dashboard/order/:id", "203.0.113.91").await.status == 204 {
            noted += 1;
        }
    }
    // Twenty immediately, and then one every six seconds.
    assert!((20..30).contains(&noted), "{noted}");
    report("/", "203.0.113.92").await.is(204);
    let metrics = shop.metrics.clone().unwrap();
    let counted = reqwest::get(format!("{metrics}/metrics")).await.unwrap().text().await.unwrap();
    let line = format!("client_errors_total{{kind=\"render\"}} {}", noted + 1);
    assert!(counted.contains(&line), "{counted}");
}

async fn stored_responses_of_unauthenticated_clients_are_limited(shop: &Demo) {
    let reset_with_key = |nth: u32, from: &str| {
        let call = post("/auth/password/reset", &json!({"token": "none", "password": "torque wrench"})).at(shop);
        call.header("x-forwarded-for", from).header("idempotency-key", format!("key-{nth}"))
    };
    let mut answered = 0;
    for nth in 0..300 {
        if reset_with_key(nth, "203.0.113.80").await.status == 410 {
            answered += 1;
        }
    }
    assert!((100..200).contains(&answered), "{answered}");
    reset_with_key(1_000, "203.0.113.81").await.is(410);
}

/// Each request is for another address, so that no limit per address applies.
async fn requested_emails_are_limited_per_client(shop: &Demo) {
    let forgot = |nth: u32, from: &str| {
        let call = post("/auth/password/forgot", &json!({"email": format!("nobody.{nth}@example.com")})).at(shop);
        call.header("x-forwarded-for", from)
    };
    let mut accepted = 0;
    for nth in 0..100 {
        let answer = forgot(nth, "203.0.113.90").await;
        if answer.status == 202 {
            accepted += 1;
        } else {
            assert!(answer.is(429).header("retry-after").parse::<u32>().unwrap() <= 6);
        }
    }
    // Thirty immediately, and then ten a minute.
    assert!((30..40).contains(&accepted), "{accepted}");
    let user = json!({"name": "Some Body", "email": "some.body@example.com", "password": "torque wrench"});
    let sign_up = post("/auth/signup", &user).at(shop).header("x-forwarded-for", "203.0.113.90");
    // The same route in another spelling.
    let spelt = post("/auth/password/forg%6Ft", &json!({"email": "nobody@example.com"})).at(shop);
    let spelt = spelt.header("x-forwarded-for", "203.0.113.90");
    for (call, accepted) in [(sign_up, 201), (spelt, 202)] {
        // One more is accepted every six seconds, and it may be this one; then the next is not.
        let answer = call.clone().await;
        if answer.status != 429 {
            answer.is(accepted);
            call.await.is(429);
        }
    }
    forgot(1_000, "203.0.113.91").await.is(202);
}
