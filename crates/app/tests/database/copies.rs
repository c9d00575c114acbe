//! Three copies of the shop on one database and one Stripe, and a judge of what many callers did at all of them.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::fake_stripe::{FakeStripe, Outcome, Request, Settings};
use testkit::{TestDatabase, invariants, number};

use crate::START;
use crate::instance::Instance;

/// How often a test repeats what it does: a number from the environment, or `usual`.
#[expect(clippy::disallowed_methods, reason = "the extent of a test is not an application setting")]
pub(crate) fn times(name: &str, usual: usize) -> usize {
    std::env::var(name).map_or(usual, |times| times.parse().unwrap())
}

/// An answer: its status and its JSON.
pub(crate) type Answer = (u16, Value);

pub(crate) struct Copies {
    instances: Vec<Instance>,
    pub(crate) database: TestDatabase,
    stripe: FakeStripe,
    next: AtomicUsize,
}

impl Copies {
    pub(crate) async fn open() -> Self {
        let database = TestDatabase::empty();
        let stripe = FakeStripe::start(Settings::default()).await.unwrap();
        let keys = Settings::default().keys;
        let settings = [
            ("DATABASE_URL", database.url()),
            ("DATABASE_POOL", "8"),
            ("STRIPE_SECRET_KEY", &keys.secret),
            ("STRIPE_PUBLISHABLE_KEY", &keys.publishable),
            ("STRIPE_API_BASE", stripe.base()),
            ("RATE_LIMIT_PER_SECOND", "100000"),
            ("RATE_LIMIT_BURST", "100000"),
            ("EMAIL_LIMIT_PER_MINUTE", "100000"),
            ("EMAIL_LIMIT_BURST", "100000"),
        ];
        let instances: Vec<Instance> = (0..3).map(|_| Instance::start(&settings)).collect();
        join_all(instances.iter().map(|instance| instance.is_ready_within(START))).await;
        Self { instances, database, stripe, next: AtomicUsize::new(0) }
    }

    /// The tokens of new accounts, which the copies have signed up in turn.
    pub(crate) async fn sign_up(&self, name: &str, count: usize) -> Vec<String> {
        let email = |nth: usize| format!("{name}-{nth}@example.com");
        let mut tokens = Vec::with_capacity(count);
        // Not all at once: each hashes a password.
        for wave in (0..count).collect::<Vec<_>>().chunks(30) {
            let signing_up = wave.iter().map(|nth| async move { self.instances[nth % 3].sign_up(&email(*nth)).await });
            tokens.extend(join_all(signing_up).await);
        }
        tokens
    }

    /// The token of an admin.
    pub(crate) async fn admin(&self) -> String {
        let token = self.sign_up("admin", 1).await.remove(0);
        self.make_admins("admin-%");
        token
    }

    /// Makes accounts admins whose addresses match a pattern.
    pub(crate) fn make_admins(&self, pattern: &str) {
        self.database.sql(&format!(
            "UPDATE accounts SET role = 'admin', email_verified_at = now(), proved_at = now() WHERE email LIKE '{pattern}'"
        ));
    }

    /// Sends a call with a key of its own to one copy after the other, until it is answered by something else than 503; or 408,
    /// which says that on a busy machine we were too slow to send it.
    pub(crate) async fn insist(&self, method: Method, path: &str, token: &str, body: &Value) -> Answer {
        let call = self.next.fetch_add(1, Ordering::Relaxed);
        let begun = Instant::now();
        for attempt in 0.. {
            let copy = &self.instances[(call + attempt) % 3];
            let request = copy.request(method.clone(), path, token, body);
            let answer = request.header("idempotency-key", format!("call-{call}")).send().await.unwrap();
            let status = answer.status().as_u16();
            if !matches!(status, 408 | 503) {
                return (status, answer.json().await.unwrap_or_default());
            }
            assert!(status == 408 || answer.headers().contains_key("retry-after"), "a 503 without Retry-After");
            assert!(begun.elapsed() < Duration::from_mins(1), "{method} {path} is not answered");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        unreachable!("it is tried for a minute")
    }

    /// Adds a product with so many units, at two dollars each, and returns its id.
    pub(crate) async fn part(&self, admin: &str, units: i64) -> String {
        let part = json!({"name": "Brake disc", "description": "A part", "category": "BRAKES",
            "img": "/pictures/x.webp", "price": 2, "availableQty": units, "minOrder": 50});
        let (status, added) = self.insist(Method::POST, "/products", admin, &part).await;
        assert_eq!(status, 201, "{added}");
        added["insertedId"].as_str().unwrap().to_owned()
    }

    /// Pays with a card, as a browser does: without the shop.
    pub(crate) fn pay_by_card(&self, client_secret: &str) -> bool {
        let payment = client_secret.split("_secret").next().unwrap();
        let request = Request {
            method: "POST".to_owned(),
            path: format!("/v1/payment_intents/{payment}/confirm"),
            authorization: Some(format!("Bearer {}", Settings::default().keys.secret)),
            body: b"payment_method=pm_card_visa".to_vec(),
            ..Request::default()
        };
        let outcome = self.stripe.with(|account, now| account.call(&request, now));
        matches!(outcome, Outcome::Answer(answer, _) if answer.status == 200)
    }

    /// What Stripe holds: the payments that succeeded, and whether all of each has gone back.
    pub(crate) fn money(&self) -> Vec<(String, bool)> {
        self.stripe.with(|account, _| {
            let came = account.payments().filter(|payment| payment.taken > 0);
            came.map(|payment| (payment.id.to_owned(), payment.sent_back - payment.came_back == payment.taken))
                .collect()
        })
    }

    pub(crate) fn count(&self, query: &str) -> i64 {
        number(self.database.url(), query).unwrap()
    }

    /// What is wrong with a product of which there were so many units, and whose orders were acknowledged with these ids.
    pub(crate) fn faults(&self, part: &str, units: i64, acknowledged: &[String]) -> Vec<String> {
        let mut faults = invariants(self.database.url());
        let ordered = format!(
            "(SELECT coalesce(sum(quantity), 0) FROM orders WHERE product_id = '{part}'
            AND cancelled_at IS NULL)"
        );
        let left = self.count(&format!("SELECT available FROM products WHERE id = '{part}'"));
        let sold = self.count(&ordered);
        if left < 0 || left + sold != units {
            faults.push(format!("{units} there were, {sold} are sold and {left} are left"));
        }
        let placed = self.count(&format!("SELECT count(*) FROM orders WHERE product_id = '{part}'"));
        let ids: Vec<String> = acknowledged.iter().map(|id| format!("'{id}'")).collect();
        let kept = self
            .count(&format!("SELECT count(*) FROM orders WHERE id::text = ANY (ARRAY[{}]::text[])", ids.join(", ")));
        let acknowledged = i64::try_from(acknowledged.len()).unwrap();
        if (placed, kept) != (acknowledged, acknowledged) {
            faults.push(format!("{acknowledged} orders were acknowledged, {kept} of them are there, {placed} in all"));
        }
        faults
    }
}

/// The ids of orders that were acknowledged.
pub(crate) fn acknowledged(answers: &[Answer]) -> Vec<String> {
    let placed = answers.iter().filter(|(status, _)| *status == 201);
    placed.map(|(_, order)| order["insertedId"].as_str().unwrap().to_owned()).collect()
}
