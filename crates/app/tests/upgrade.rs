//! The previous release on the schema of this one, as an upgrade without downtime requires.
//!
//! `make test-upgrade` builds the release of the commit before the newest migration and passes it in
//! `PREVIOUS_PROGRAM`. Both run as in production, on one database and one Stripe. Every step of a purchase is made at
//! one of them and checked through the other, in both directions.
#![expect(clippy::panic, clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use reqwest::{Client, Method};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use testkit::fake_stripe::{Endpoint, FakeStripe, Outcome, Request, Settings};
use testkit::{TestDatabase, invariants};
use tokio::time::sleep;

const PASSWORD: &str = "a long walk home";
const WEBHOOK_SECRET: &str = "whsec_of_an_upgrade";
/// The server polls open payments every five seconds; anything faster came by webhook or was reported by the browser.
const SETTLED: Duration = Duration::from_secs(20);

/// The release before the newest migration.
#[expect(clippy::disallowed_methods, reason = "the tests stand in for a shell here")]
fn previous() -> PathBuf {
    std::env::var_os("PREVIOUS_PROGRAM").map_or_else(|| panic!("run `make test-upgrade`"), PathBuf::from)
}

fn this() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_driveline"))
}

/// What all instances share.
struct Shop {
    database: TestDatabase,
    stripe: FakeStripe,
    data: tempfile::TempDir,
}

impl Shop {
    async fn new() -> Self {
        let stripe = FakeStripe::start(Settings::default()).await.unwrap();
        Self { database: TestDatabase::empty(), stripe, data: tempfile::tempdir().unwrap() }
    }

    #[expect(clippy::disallowed_methods, reason = "the tests stand in for a shell here")]
    fn command(&self, program: &Path, arguments: &[&str]) -> Command {
        let keys = Settings::default().keys;
        let mut command = Command::new(program);
        command
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .args(arguments)
            .env("DATABASE_URL", self.database.url())
            .env("PUBLIC_URL", "http://127.0.0.1")
            .env("PORT", "0")
            .env("TOKEN_SECRET", "a secret of forty bytes, known to a test")
            .env("ADMIN_SECOND_FACTOR", "optional")
            .env("STRIPE_SECRET_KEY", keys.secret)
            .env("STRIPE_PUBLISHABLE_KEY", keys.publishable)
            .env("STRIPE_WEBHOOK_SECRET", WEBHOOK_SECRET)
            .env("DRAIN_SECONDS", "1")
            .env("STRIPE_API_BASE", self.stripe.base())
            .env("DATA_DIR", self.data.path())
            .stdin(Stdio::null());
        command
    }

    /// Runs a command that must succeed.
    fn run(&self, program: &Path, arguments: &[&str]) -> Output {
        let output = self.command(program, arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        output
    }

    fn open(&self, program: &Path) -> Instance {
        let mut process = self.command(program, &["serve"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdout = BufReader::new(process.stdout.take().unwrap());
        let mut line = String::new();
        let base = loop {
            line.clear();
            assert_ne!(stdout.read_line(&mut line).unwrap(), 0, "{} exited while it was starting", program.display());
            let entry: Value = serde_json::from_str(&line).unwrap_or_default();
            if let (Some("the shop is open"), Some(address)) = (entry["message"].as_str(), entry["address"].as_str()) {
                break format!("http://{address}");
            }
        };
        // The rest of the log must be read; errors go to the test's output.
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if line.contains(r#""level":"ERROR""#) {
                    eprintln!("{line}");
                }
            }
        });
        let client = Client::builder().no_proxy().timeout(Duration::from_secs(30)).build().unwrap();
        Instance { process, base, client }
    }

    /// Sends Stripe's webhooks to one of the instances.
    fn listen_at(&self, instance: &Instance) {
        let endpoint =
            Endpoint { url: format!("{}/webhooks/stripe", instance.base), secrets: vec![WEBHOOK_SECRET.to_owned()] };
        self.stripe.with(|account, _| account.send_webhooks_to(Some(endpoint)));
    }

    /// Pays with a card, as a browser does, and returns the payment's id.
    fn pay_by_card(&self, client_secret: &str) -> String {
        let payment = client_secret.split("_secret").next().unwrap();
        let request = Request {
            method: "POST".to_owned(),
            path: format!("/v1/payment_intents/{payment}/confirm"),
            authorization: Some(format!("Bearer {}", Settings::default().keys.secret)),
            body: b"payment_method=pm_card_visa".to_vec(),
            ..Request::default()
        };
        match self.stripe.with(|account, now| account.call(&request, now)) {
            Outcome::Answer(answer, _) if answer.status == 200 => payment.to_owned(),
            other => panic!("{other:?}"),
        }
    }
}

/// A running instance.
struct Instance {
    process: Child,
    base: String,
    client: Client,
}

impl Instance {
    async fn try_ask(&self, method: Method, path: &str, token: &str, body: &Value) -> Result<(u16, Value), String> {
        let mut request = self.client.request(method.clone(), format!("{}{path}", self.base)).bearer_auth(token);
        if method != Method::GET {
            request = request.json(body);
        }
        let answer = request.send().await.map_err(|error| format!("{method} {path}: {error:?}"))?;
        let status = answer.status().as_u16();
        let text = answer.text().await.map_err(|error| format!("{method} {path}: {error:?}"))?;
        Ok((status, serde_json::from_str(&text).unwrap_or(Value::String(text))))
    }

    async fn ask(&self, method: Method, path: &str, token: &str, body: Value) -> (u16, Value) {
        self.try_ask(method, path, token, &body).await.unwrap()
    }

    /// A call that must succeed.
    async fn done(&self, method: Method, path: &str, token: &str, body: Value) -> Value {
        let (status, answer) = self.ask(method.clone(), path, token, body).await;
        assert!((200..300).contains(&status), "{method} {path} at {}: {status} {answer}", self.base);
        answer
    }

    async fn get(&self, path: &str, token: &str) -> Value {
        self.done(Method::GET, path, token, Value::Null).await
    }

    /// Signs a user up or in and returns their token and session.
    async fn enter(&self, way: &str, email: &str) -> (String, String) {
        let body = json!({"name": "Some Body", "email": email, "password": PASSWORD});
        let answer = self.client.post(format!("{}/auth/{way}", self.base)).json(&body).send().await.unwrap();
        assert!(answer.status().is_success(), "{way}: {}", answer.status());
        let cookies = answer.headers().get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap());
        let session =
            cookies.filter_map(|cookie| cookie.split(';').next()).find(|cookie| cookie.starts_with("session="));
        let session = session.unwrap().to_owned();
        let issuing = self.client.put(format!("{}/user/{email}", self.base)).header("cookie", &session);
        let issued: Value = issuing.json(&json!({"email": email})).send().await.unwrap().json().await.unwrap();
        (issued["token"].as_str().unwrap().to_owned(), session)
    }

    /// Shuts it down as a deployment does: requests in flight are finished, and the exit code is 0.
    fn stop(mut self) {
        kill_process(Pid::from_child(&self.process), Signal::TERM).unwrap();
        let ended = self.process.wait().unwrap();
        assert_eq!(ended.code(), Some(0));
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // A failed test leaves no process running.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn fresh_email() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    format!("user.{}@example.com", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A new user who is made an admin on the command line of a program. Nobody reads their e-mails, so their address is not
/// confirmed.
async fn first_admin(shop: &Shop, program: &Path, instance: &Instance) -> String {
    let email = fresh_email();
    let (token, _) = instance.enter("signup", &email).await;
    shop.run(program, &["admin", "grant", &email, "--unverified"]);
    token
}

fn part(available: u32) -> Value {
    json!({
        "name": format!("A part of {}", fresh_email()), "description": "For an upgrade.", "category": "BRAKES",
        "price": 2.5, "availableQty": available, "minOrder": 50, "img": "https://pictures.example.com/part.png",
    })
}

fn purchase(product: &str) -> Value {
    json!({"productId": product, "quantity": 50, "name": "Some Body", "phone": "555 0100", "address": "1 Long Road"})
}

async fn event_kinds(instance: &Instance, token: &str, order: &str) -> Vec<String> {
    let events = instance.get(&format!("/orders/{order}/events"), token).await;
    events.as_array().unwrap().iter().map(|event| event["what"].as_str().unwrap().to_owned()).collect()
}

async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let begun = Instant::now();
    while !holds().await {
        assert!(begun.elapsed() < SETTLED, "did not hold within {SETTLED:?}: {what}");
        sleep(Duration::from_millis(50)).await;
    }
}

/// Everything that a customer and an admin do, at `here`; the results are checked and continued at `there`.
#[expect(clippy::too_many_lines, reason = "one story, in the order in which it happens")]
async fn run_scenario(shop: &Shop, here: &Instance, there: &Instance, admin: &str) {
    use Method as M;
    let email = fresh_email();
    let (customer, session) = here.enter("signup", &email).await;
    let product = here.done(M::POST, "/products", admin, part(1_000)).await["insertedId"].as_str().unwrap().to_owned();
    let stock =
        async |instance: &Instance| instance.get(&format!("/products/{product}"), "").await["availableQty"].clone();
    // What one instance changed the other one knows within a second.
    let stock_becomes = async |instance: &Instance, units: u32| {
        eventually("the stock is known", async || stock(instance).await == units).await;
    };
    stock_becomes(there, 1_000).await;

    // One order for each outcome. Each is placed here and repeated there with the same key.
    let mut orders = Vec::new();
    for number in 0..4 {
        let key = format!("{email}-{number}");
        for instance in [here, there] {
            let placing = instance.client.post(format!("{}/orders", instance.base)).bearer_auth(&customer);
            let placing = placing.header("idempotency-key", &key).json(&purchase(&product)).send().await.unwrap();
            assert_eq!(placing.status().as_u16(), 201);
            let placed: Value = placing.json().await.unwrap();
            orders.push(placed["insertedId"].as_str().unwrap().to_owned());
        }
    }
    orders.dedup();
    let [shipped, refunded, cancelled, on_account] = &orders[..] else { panic!("{orders:?}") };
    stock_becomes(here, 800).await;

    // Paid, and reported by the browser.
    let secret = async |instance: &Instance, order: &str| {
        let opened =
            instance.done(M::POST, "/create-payment-intent", &customer, json!({"orderId": order, "price": 125})).await;
        opened["clientSecret"].as_str().unwrap().to_owned()
    };
    let opened = secret(here, shipped).await;
    assert_eq!(secret(there, shipped).await, opened, "one open payment per order, whichever instance is asked");
    let transaction = shop.pay_by_card(&opened);
    let hint = json!({"payment": {"product": shipped, "transactionId": transaction, "status": "succeeded"}});
    assert_eq!(here.done(M::PATCH, &format!("/orders/{shipped}"), &customer, hint).await["modifiedCount"], 1);
    assert_eq!(there.get(&format!("/orders/{shipped}"), &customer).await["paid"], true);

    // Paid, and reported by webhook: both instances may get it.
    shop.listen_at(here);
    shop.pay_by_card(&secret(there, refunded).await);
    eventually("the webhook settles the order", async || {
        there.get(&format!("/orders/{refunded}"), &customer).await["paid"] == true
    })
    .await;

    // Shipped here, paid or not; nothing is left to ship there.
    for order in [shipped, on_account] {
        assert_eq!(here.done(M::PUT, &format!("/orders/status/{order}"), admin, json!({})).await["modifiedCount"], 1);
        assert_eq!(there.done(M::PUT, &format!("/orders/status/{order}"), admin, json!({})).await["modifiedCount"], 0);
        assert_eq!(there.get(&format!("/orders/{order}"), &customer).await["status"], "paid");
    }

    // Cancelled here: the units are back there, once.
    assert_eq!(here.done(M::DELETE, &format!("/orders/{cancelled}"), &customer, json!({})).await["deletedCount"], 1);
    assert_eq!(there.done(M::DELETE, &format!("/orders/{cancelled}"), &customer, json!({})).await["deletedCount"], 0);
    stock_becomes(there, 850).await;

    // Refunded here; the first instance sends the money.
    here.done(M::POST, &format!("/orders/{refunded}/refund"), admin, json!({})).await;
    eventually("the refund is sent", async || {
        event_kinds(there, &customer, refunded).await == ["ordered", "paid", "cancelled", "refunded"]
    })
    .await;
    stock_becomes(here, 900).await;
    for instance in [here, there] {
        assert_eq!(event_kinds(instance, &customer, shipped).await, ["ordered", "paid", "shipped"]);
        assert_eq!(event_kinds(instance, &customer, cancelled).await, ["ordered", "cancelled"]);
        assert_eq!(event_kinds(instance, &customer, on_account).await, ["ordered", "shipped"]);
        assert_eq!(
            instance.get("/user", admin).await.as_array().unwrap().iter().filter(|one| one["email"] == email).count(),
            1
        );
        instance.get("/allOrders", admin).await;
        instance.get("/overview", admin).await;
        instance.get("/reviews", "").await;
    }

    // A profile, a review, more stock; a logout here also applies there.
    here.done(M::PUT, "/info", &customer, json!({"email": email, "education": "Trade school"})).await;
    there.get("/info", &customer).await;
    here.done(M::POST, "/reviews", &customer, json!({"name": "Some Body", "rating": 4, "details": "On time."})).await;
    here.done(M::PUT, &format!("/products/{product}"), admin, json!({"updatedQuantity": 10, "updatedPrice": 3})).await;
    stock_becomes(there, 910).await;
    let (again, _) = there.enter("login", &email).await;
    assert_eq!(here.get(&format!("/orders?email={email}"), &again).await.as_array().unwrap().len(), 2);
    let out = here.client.post(format!("{}/auth/logout", here.base)).header("cookie", session).send().await.unwrap();
    assert!(out.status().is_success());
    eventually("the logout is known", async || {
        there.ask(M::GET, &format!("/orders?email={email}"), &customer, Value::Null).await.0 == 401
    })
    .await;
    assert_eq!(here.done(M::DELETE, &format!("/products/{product}"), admin, json!({})).await["deletedCount"], 1);
    eventually("the product is gone", async || {
        there.ask(M::GET, &format!("/products/{product}"), "", Value::Null).await.0 == 404
    })
    .await;
}

/// Typical traffic: list, order, read, cancel. Returns the number of calls and the longest duration.
async fn traffic(
    base: String,
    token: String,
    product: String,
    stop: Arc<AtomicBool>,
) -> Result<(u32, Duration), String> {
    let client = Client::builder().no_proxy().timeout(Duration::from_secs(30)).build().unwrap();
    let ask = async |method: Method, path: &str, body: Option<Value>| {
        let mut request = client.request(method.clone(), format!("{base}{path}")).bearer_auth(&token);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let began = Instant::now();
        let answer = request.send().await.map_err(|error| format!("{method} {path}: {error:?}"))?;
        let status = answer.status();
        let text = answer.text().await.map_err(|error| format!("{method} {path}: {error:?}"))?;
        let took = began.elapsed();
        if status.is_success() { Ok((took, text)) } else { Err(format!("{method} {path}: {status} {text}")) }
    };
    let (mut calls, mut longest) = (0, Duration::ZERO);
    while !stop.load(Ordering::Relaxed) {
        let (listed, _) = ask(Method::GET, "/products", None).await?;
        let (placed, order) = ask(Method::POST, "/orders", Some(purchase(&product))).await?;
        let order: Value = serde_json::from_str(&order).map_err(|error| error.to_string())?;
        let path = format!("/orders/{}", order["insertedId"].as_str().unwrap_or_default());
        let (read, _) = ask(Method::GET, &path, None).await?;
        let (cancelled, _) = ask(Method::DELETE, &path, Some(json!({}))).await?;
        calls += 4;
        longest = [longest, listed, placed, read, cancelled].into_iter().max().unwrap_or_default();
    }
    Ok((calls, longest))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_previous_release_serves_during_the_migration_and_beside_this_release() {
    let shop = Shop::new().await;
    let old = shop.open(&previous());
    let admin = first_admin(&shop, &previous(), &old).await;
    run_scenario(&shop, &old, &old, &admin).await;

    let (customer, _) = old.enter("signup", &fresh_email()).await;
    let busy =
        old.done(Method::POST, "/products", &admin, part(10_000)).await["insertedId"].as_str().unwrap().to_owned();
    let closing = Arc::new(AtomicBool::new(false));
    let visitors: Vec<_> = (0..4)
        .map(|_| tokio::spawn(traffic(old.base.clone(), customer.clone(), busy.clone(), Arc::clone(&closing))))
        .collect();
    sleep(Duration::from_millis(500)).await;
    let began = Instant::now();
    let migrated = shop.run(&this(), &["migrate"]);
    let took = began.elapsed();
    sleep(Duration::from_millis(500)).await;
    closing.store(true, Ordering::Relaxed);
    let (mut calls, mut longest) = (0, Duration::ZERO);
    for visitor in visitors {
        let (made, slowest) = visitor.await.unwrap().unwrap();
        calls += made;
        longest = longest.max(slowest);
    }
    let steps = String::from_utf8_lossy(&migrated.stdout).trim().replace('\n', ", ");
    assert!(steps.contains("Applied "), "the previous release had every migration already: {steps}");
    assert!(calls >= 40, "{calls} calls are too few");
    println!(
        "{steps} in {} ms; {calls} calls meanwhile, none failed, the longest {} ms",
        took.as_millis(),
        longest.as_millis()
    );
    assert_eq!(old.get(&format!("/products/{busy}"), "").await["availableQty"], 10_000);

    let new = shop.open(&this());
    assert_eq!(old.ask(Method::GET, "/health/ready", "", Value::Null).await.0, 200);
    run_scenario(&shop, &old, &new, &admin).await;
    run_scenario(&shop, &new, &old, &admin).await;
    old.stop();
    run_scenario(&shop, &new, &new, &admin).await;
    new.stop();
    assert_eq!(invariants(shop.database.url()), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_previous_release_starts_on_the_schema_of_this_one_and_can_replace_it_again() {
    let shop = Shop::new().await;
    shop.run(&this(), &["migrate"]);
    let new = shop.open(&this());
    let admin = first_admin(&shop, &this(), &new).await;
    run_scenario(&shop, &new, &new, &admin).await;

    let old = shop.open(&previous());
    assert_eq!(old.ask(Method::GET, "/health/ready", "", Value::Null).await.0, 200);
    run_scenario(&shop, &old, &new, &admin).await;
    // Back to the previous release: an instance restarts, and no other is running.
    new.stop();
    run_scenario(&shop, &old, &old, &admin).await;
    old.stop();
    let again = shop.open(&previous());
    run_scenario(&shop, &again, &again, &admin).await;
    again.stop();
    let up_to_date = shop.run(&previous(), &["migrate"]);
    assert_eq!(String::from_utf8_lossy(&up_to_date.stdout), "The database is up to date.\n");
    assert_eq!(invariants(shop.database.url()), Vec::<String>::new());
}
