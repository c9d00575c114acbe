//! What somebody who has not signed in may use up: each budget of the table of routes is spent by one client for a while, as
//! fast as it can, while another one looks whether it notices. What was used up is counted. How quick the other one's answers
//! have to be is held to in the long form only (`BUDGETS=held`), on a machine that does nothing else.

use std::time::{Duration, Instant};

use serde_json::json;
use testkit::{Reply, Sql, StandIn};

use crate::fixtures::{PASSWORD, User, draft, elsewhere, inserted, unique};
use crate::reservations::{purchase, shop_with};
use crate::server::{Call, Demo, all, call, get, post, run, spawn};

/// How many calls the spender makes at least, if none is refused: more than the largest limit of its own lets through.
const LEAST: usize = 320;
/// How many calls the spender makes at a time.
const AT_A_TIME: usize = 16;
/// Slowly enough for the lowest limit of reads that a test sets.
const BETWEEN_LOOKS: Duration = Duration::from_millis(250);
/// How often the bystander looks at least: on a busy machine, also after the spender's last call.
const SAMPLES: usize = 6;

#[expect(clippy::disallowed_methods, reason = "the extent of a test is not an application setting")]
fn is_held() -> bool {
    std::env::var("BUDGETS").is_ok_and(|budgets| budgets == "held")
}

/// What became of the spender's calls, by status.
#[derive(Default, Debug)]
struct Spent {
    calls: usize,
    refused: usize,
    others: Vec<u16>,
    took: Duration,
}

impl Spent {
    /// How many a limit lets through: its burst, and what came back meanwhile.
    fn allowed(&self, burst: usize, per_minute: f64) -> usize {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few hundred at most")]
        let since = (self.took.as_secs_f64() * per_minute / 60.0).ceil() as usize;
        burst + since
    }

    /// That some calls were refused, and no more let through than the limit allows, each of which was answered so.
    #[track_caller]
    fn is_within(&self, burst: usize, per_minute: f64, answered: u16) {
        assert!(self.refused > 0 && self.others.len() <= self.allowed(burst, per_minute), "{self:?}");
        self.is_answered(answered);
    }

    #[track_caller]
    fn is_answered(&self, status: u16) {
        assert!(self.others.iter().all(|answered| *answered == status), "{self:?}");
    }
}

/// Spends for ten seconds in the long form, and two in the short one, while somebody else asks for products.
async fn spend(shop: &Demo, budget: &str, next: impl Fn() -> Call) -> Spent {
    let begun = Instant::now();
    let until = begun + Duration::from_secs(if is_held() { 10 } else { 2 });
    let (spender, bystander) = (elsewhere(), elsewhere());
    let look = get("/products?limit=5").at(shop).from(bystander);
    let watching = spawn(async move {
        let mut took = Vec::new();
        while Instant::now() < until || took.len() < SAMPLES {
            let begun = Instant::now();
            look.clone().await.is(200);
            took.push(begun.elapsed().as_secs_f64() * 1_000.0);
            tokio::time::sleep(BETWEEN_LOOKS).await;
        }
        took
    });
    let mut spent = Spent::default();
    while Instant::now() < until || spent.refused == 0 && spent.calls < LEAST {
        for answer in all((0..AT_A_TIME).map(|_| next().at(shop).from(spender))).await {
            spent.calls += 1;
            if answer.status == 429 {
                assert!(!answer.header("retry-after").is_empty(), "{budget}: {answer}");
                spent.refused += 1;
            } else {
                assert!(answer.status < 500, "{budget}: {answer}");
                spent.others.push(answer.status);
            }
        }
    }
    spent.took = begun.elapsed();
    let mut took = watching.await.unwrap();
    took.sort_by(f64::total_cmp);
    let late = took[took.len() * 99 / 100];
    println!(
        "{budget}: {} calls, {} refused; 99 of 100 of a bystander's {} within {late:.0} of 500 ms",
        spent.calls,
        spent.refused,
        took.len()
    );
    assert!(!is_held() || late <= 500.0, "{budget}: {late} ms");
    spent
}

const EMAILS: &str = "SELECT count(*) FROM outbox WHERE channel = 'mail'";

fn count(database: &str, query: &str) -> usize {
    usize::try_from(Sql::connect(database).number(query)).unwrap()
}

fn reset() -> Call {
    let token = format!("{:043}", unique());
    post("/auth/password/reset", &json!({"token": token, "password": PASSWORD}))
}

fn unsigned_message() -> Call {
    post("/webhooks/stripe", &json!({"id": "evt_1", "type": "payment_intent.succeeded"}))
}

fn log_out() -> Call {
    call("POST", "/auth/logout")
}

fn search() -> Call {
    get(format!("/products?q=part{}&sort=-price", unique()))
}

#[test]
fn nobody_notices_what_one_visitor_uses_up_and_it_is_bounded() {
    run(async {
        let (shop, database) = Demo::serve(&[]);
        let fresh = || format!("spender.{}@example.com", unique());

        // What only the general limits bound: so high that a test does not reach them.
        spend(&shop, "reading", search).await.is_answered(200);
        spend(&shop, "secret", reset).await.is_answered(410);
        spend(&shop, "message", unsigned_message).await.is_answered(400);
        spend(&shop, "change", log_out).await.is_answered(204);

        let row = spend(&shop, "row", || post("/newsletter", &json!({"email": fresh()}))).await;
        row.is_within(100, 60.0, 202);
        let rows = count(&database, "SELECT count(*) FROM newsletter");
        assert!((1..=row.others.len()).contains(&rows), "{rows} rows: {row:?}");

        let email = spend(&shop, "email", || {
            post("/auth/signup", &json!({"name": "Some Body", "email": fresh(), "password": PASSWORD}))
        })
        .await;
        email.is_within(30, 10.0, 201);
        let emails = count(&database, EMAILS);
        assert!((1..=email.others.len()).contains(&emails), "{emails} e-mails: {email:?}");

        let owner = User::new_at(&shop).await;
        let hash = spend(&shop, "hash", || {
            post("/auth/login", &json!({"email": owner.email, "password": format!("wrong {}", unique())}))
        })
        .await;
        let looked_at = hash.others.iter().filter(|status| **status == 401).count();
        assert!(hash.refused > 0 && looked_at <= 10, "{looked_at} passwords were looked at: {hash:?}");

        spend(&shop, "vin", || get("/vin/1HGCM82633A004352")).await.is_within(120, 60.0, 200);

        let report = json!({"kind": "error", "route": "/", "message": "a defect", "build": "main-1.js"});
        spend(&shop, "line of the log", || post("/client-errors", &report)).await.is_within(20, 10.0, 204);
    });
}

#[test]
fn what_has_no_limit_of_its_own_is_bounded_by_those_on_reads_and_changes() {
    run(async {
        let (shop, _) = Demo::serve(&[("READ_LIMIT_PER_SECOND", "5"), ("RATE_LIMIT_PER_SECOND", "5")]);
        spend(&shop, "reading, tight", search).await.is_within(50, 300.0, 200);
        spend(&shop, "secret, tight", reset).await.is_within(50, 300.0, 410);
        spend(&shop, "message, tight", unsigned_message).await.is_within(50, 300.0, 400);
        spend(&shop, "change, tight", log_out).await.is_within(50, 300.0, 204);
    });
}

#[test]
fn a_provider_is_asked_no_more_than_one_visitor_may_have_it_asked() {
    run(async {
        let discovery = json!({
            "issuer": "{base}", "authorization_endpoint": "{base}/authorize", "token_endpoint": "{base}/token",
            "jwks_uri": "{base}/keys", "response_types_supported": ["code"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        });
        let refusal = json!({"error": "invalid_grant"});
        let google =
            StandIn::start(vec![Reply::Json(200, discovery.to_string()), Reply::Json(400, refusal.to_string())]).await;
        let (shop, _) = Demo::serve(&[
            ("GOOGLE_CLIENT_ID", "shop"),
            ("GOOGLE_CLIENT_SECRET", "a secret of a test"),
            ("GOOGLE_ISSUER", &google.base()),
        ]);
        let begun = get("/auth/google").at(&shop).await.is(303);
        let (attempt, _) = begun.cookie("google-attempt").unwrap();
        let state = begun.header("location").split(['?', '&']).find_map(|field| field.strip_prefix("state=")).unwrap();
        let provider = spend(&shop, "provider", || {
            get(format!("/auth/google/callback?state={state}&code={}", unique()))
                .header("cookie", format!("google-attempt={attempt}"))
        })
        .await;
        provider.is_within(200, 120.0, 400);
        let asked = google.received().iter().filter(|received| received.head.starts_with("POST /token")).count();
        assert!((1..=provider.others.len()).contains(&asked), "asked {asked} times: {provider:?}");
    });
}

#[test]
fn a_new_account_reserves_little_stock_however_fast_it_orders() {
    run(async {
        let (shop, boss) = shop_with(&[]).await;
        let product = inserted(&boss.send(post("/products", &draft(100_000, 1.0))).at(&shop).await);
        let customer = User::new_at(&shop).await;
        let stock = spend(&shop, "stock", || customer.send(purchase(&product, 50))).await;
        let placed = stock.others.iter().filter(|status| **status == 201).count();
        assert_eq!(placed, 20, "{stock:?}");
        let left = get(format!("/products/{product}")).at(&shop).await.is(200).json()["availableQty"].clone();
        assert_eq!(left, 100_000 - 20 * 50);
    });
}

#[test]
fn a_shop_whose_limit_is_too_high_is_noticed() {
    run(async {
        let (shop, database) = Demo::serve(&[("EMAIL_LIMIT_PER_MINUTE", "100000")]);
        let email = spend(&shop, "email without its limit", || {
            let address = format!("spender.{}@example.com", unique());
            post("/auth/password/forgot", &json!({ "email": address }))
        })
        .await;
        let asked = count(&database, EMAILS);
        assert!(email.refused == 0 && asked > email.allowed(30, 10.0), "{asked}: {email:?}");
    });
}
