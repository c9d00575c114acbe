//! What somebody who has not signed in may use up: each budget of the table of routes is spent by one client for a while, as
//! fast as it can, while another one looks whether it notices. What was used up is counted. How quick the other one's answers
//! have to be is held to in the long form only (`BUDGETS=held`), on a machine that does nothing else.

use std::time::{Duration, Instant};

use serde_json::json;
use testkit::Sql;

use crate::fixtures::{PASSWORD, User, elsewhere, unique};
use crate::server::{Call, Demo, all, call, get, post, run, spawn};

/// How many calls the spender makes at least: more than the largest limit of its own lets through.
const LEAST: usize = 320;
/// How many calls the spender makes at a time.
const AT_A_TIME: usize = 16;
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
}

/// Spends for ten seconds in the long form, and two in the short one, while somebody else asks for products.
async fn spend(shop: &Demo, budget: &str, next: impl Fn() -> Call) -> Spent {
    let until = Instant::now() + Duration::from_secs(if is_held() { 10 } else { 2 });
    let (spender, bystander) = (elsewhere(), elsewhere());
    let look = get("/products?limit=5").at(shop).from(bystander);
    let watching = spawn(async move {
        let mut took = Vec::new();
        while Instant::now() < until || took.len() < SAMPLES {
            let begun = Instant::now();
            look.clone().await.is(200);
            took.push(begun.elapsed().as_secs_f64() * 1_000.0);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        took
    });
    let mut spent = Spent::default();
    while Instant::now() < until || spent.calls < LEAST {
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

/// How many a limit lets through: its burst, and what comes back in the time that a slow machine takes.
fn allows(burst: usize, per_minute: usize) -> usize {
    burst + per_minute
}

#[test]
fn nobody_notices_what_one_visitor_uses_up_and_it_is_bounded() {
    run(async {
        let (shop, database) = Demo::serve(&[]);
        let count = |query: &str| Sql::connect(&database).number(query);
        let fresh = || format!("spender.{}@example.com", unique());

        let reading = spend(&shop, "reading", || get(format!("/products?q=part{}&sort=-price", unique()))).await;
        assert!(reading.others.iter().all(|status| *status == 200), "{reading:?}");

        let row = spend(&shop, "row", || post("/newsletter", &json!({"email": fresh()}))).await;
        let rows = count("SELECT count(*) FROM newsletter");
        assert!(row.refused > 0 && usize::try_from(rows).unwrap() <= allows(100, 60), "{rows} rows: {row:?}");

        let email = spend(&shop, "email", || {
            post("/auth/signup", &json!({"name": "Some Body", "email": fresh(), "password": PASSWORD}))
        })
        .await;
        let emails = count("SELECT count(*) FROM outbox WHERE channel = 'mail'");
        assert!(email.refused > 0 && usize::try_from(emails).unwrap() <= allows(30, 10), "{emails} e-mails: {email:?}");

        let owner = User::new_at(&shop).await;
        let hash = spend(&shop, "hash", || {
            post("/auth/login", &json!({"email": owner.email, "password": format!("wrong {}", unique())}))
        })
        .await;
        let looked_at = hash.others.iter().filter(|status| **status == 401).count();
        assert!(hash.refused > 0 && looked_at <= 10, "{looked_at} passwords were looked at: {hash:?}");

        let secret = spend(&shop, "secret", || {
            let token = format!("{:043}", unique());
            post("/auth/password/reset", &json!({"token": token, "password": PASSWORD}))
        })
        .await;
        assert!(secret.others.iter().all(|status| *status == 410), "{secret:?}");

        let message = json!({"id": "evt_1", "type": "payment_intent.succeeded"});
        let unsigned = spend(&shop, "message", || post("/webhooks/stripe", &message)).await;
        assert!(unsigned.others.iter().all(|status| *status == 400), "{unsigned:?}");

        let change = spend(&shop, "change", || call("POST", "/auth/logout")).await;
        assert!(change.others.iter().all(|status| *status == 204), "{change:?}");

        // Nothing is set up that would be asked.
        let provider = spend(&shop, "provider", || get("/auth/google/callback?state=a&code=b")).await;
        assert!(provider.refused > 0 && provider.others.len() <= allows(200, 120), "{provider:?}");

        let vin = spend(&shop, "vin", || get("/vin/1HGCM82633A004352")).await;
        assert!(vin.refused > 0 && vin.others.len() <= allows(120, 60), "{vin:?}");

        let report = json!({"message": "a defect", "stack": "", "path": "/", "kind": "error"});
        let line = spend(&shop, "line of the log", || post("/client-errors", &report)).await;
        assert!(line.refused > 0 && line.others.len() <= allows(20, 10), "{line:?}");
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
        let asked = Sql::connect(&database).number("SELECT count(*) FROM outbox WHERE channel = 'mail'");
        assert!(email.refused == 0 && usize::try_from(asked).unwrap() > allows(30, 10), "{asked}: {email:?}");
    });
}
