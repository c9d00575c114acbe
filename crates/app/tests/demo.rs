//! The program as an operator runs it: its promises about ports, folders, signals and exit codes.
//!
//! Every demo has its own folder and port. The tests need the Postgres programs, but no running server.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpSocket;

const NOBODY: u32 = 65_534;
/// How many parts a new demo sells.
const PARTS: usize = 369;

/// The program, with nothing of this test's environment except PATH.
fn program() -> Command {
    program_at(Path::new(env!("CARGO_BIN_EXE_driveline")))
}

#[expect(clippy::disallowed_methods, reason = "the tests stand in for a shell here")]
fn program_at(path: &Path) -> Command {
    let mut command = Command::new(path);
    command.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path))).stdin(Stdio::null());
    command
}

/// A demo without its history, which most tests would only wait for.
fn demo(data_dir: &Path, port: u16) -> Command {
    let mut command = demo_with_history(data_dir, port);
    command.arg("--no-history");
    command
}

fn demo_with_history(data_dir: &Path, port: u16) -> Command {
    let mut command = program();
    command.args(["demo", "--port", &port.to_string(), "--data-dir"]).arg(data_dir);
    command
}

/// A folder that every user may enter: as root, Postgres runs as another user.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    folder
}

/// Whether any process has its working directory in a folder or below. Every Postgres process has it in its cluster.
fn has_process_in(folder: &Path) -> bool {
    let folder = fs::canonicalize(folder).unwrap();
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes.filter_map(|process| fs::read_link(process.path().join("cwd")).ok()).any(|cwd| cwd.starts_with(&folder))
}

fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(Instant::now() < deadline, "not within the deadline: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

fn lines_of(output: &Output) -> Vec<String> {
    String::from_utf8_lossy(&output.stderr).lines().map(str::to_owned).collect()
}

/// Asserts that a command was refused: exit code 2, one line on standard error, nothing on standard output.
fn assert_refused(output: &Output, because: &str) {
    let lines = lines_of(output);
    assert_eq!(output.status.code(), Some(2), "{lines:?}");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].starts_with("driveline: ") && lines[0].contains(because), "{lines:?}");
    assert!(output.stdout.is_empty());
}

/// A running server.
struct Shop {
    process: Child,
    _stdout: BufReader<ChildStdout>,
    base: String,
}

impl Shop {
    fn launch(command: &mut Command, opening: impl Fn(&str) -> Option<String>) -> Self {
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut stdout = BufReader::new(process.stdout.take().unwrap());
        let mut line = String::new();
        let base = loop {
            line.clear();
            assert_ne!(stdout.read_line(&mut line).unwrap(), 0, "the server exited while it was starting");
            if let Some(base) = opening(&line) {
                break base;
            }
        };
        Self { process, _stdout: stdout, base }
    }

    fn demo(data_dir: &Path) -> Self {
        Self::open(&mut demo(data_dir, 0))
    }

    fn open(demo: &mut Command) -> Self {
        Self::launch(demo, |line| line.split_once("open at ").map(|(_, address)| address.trim().to_owned()))
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.process), signal).unwrap();
    }

    fn ends(&mut self) -> ExitStatus {
        let mut ended = None;
        eventually("the shop ends", || {
            ended = self.process.try_wait().unwrap();
            ended.is_some()
        });
        ended.unwrap()
    }

    fn stop(mut self, signal: Signal) {
        self.signal(signal);
        assert_eq!(self.ends().code(), Some(0));
    }

    fn kill(mut self) {
        self.signal(Signal::KILL);
        assert_eq!(self.ends().signal(), Some(9));
    }

    fn address(&self) -> &str {
        self.base.trim_start_matches("http://")
    }

    /// Waits until it accepts no more connections, as it does once it has begun to shut down.
    fn closes_its_port(&self) {
        eventually("the port is closed", || {
            TcpStream::connect(self.address()).is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
        });
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }

    /// Sends one request and returns the response's status and JSON.
    async fn ask(&self, method: &str, path: &str, who: Who<'_>, body: Value) -> (u16, Value) {
        let (status, _, body) = self.exchange(method, path, who, body).await;
        (status, body)
    }

    async fn exchange(&self, method: &str, path: &str, who: Who<'_>, body: Value) -> (u16, Vec<String>, Value) {
        let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
        let mut request = reqwest::Client::new().request(method, format!("{}{path}", self.base));
        request = match who {
            Who::Visitor => request,
            Who::Session(cookie) => request.header("cookie", cookie),
            Who::Bearer(token) => request.bearer_auth(token),
        };
        if !body.is_null() {
            request = request.json(&body);
        }
        let answer = request.send().await.unwrap();
        let status = answer.status().as_u16();
        let cookies = answer.headers().get_all("set-cookie").iter();
        let cookies = cookies.map(|cookie| cookie.to_str().unwrap().split(';').next().unwrap().to_owned()).collect();
        let body = answer.bytes().await.unwrap();
        (status, cookies, serde_json::from_slice(&body).unwrap_or(Value::Null))
    }

    /// An access token for a user who logs in (or signs up, if a name is given) with the demo's password.
    async fn enter(&self, name: Option<&str>, email: &str) -> String {
        let path = if name.is_some() { "/auth/signup" } else { "/auth/login" };
        let body = json!({ "name": name, "email": email, "password": "demo-password" });
        let (status, cookies, answer) = self.exchange("POST", path, Who::Visitor, body).await;
        assert!(matches!(status, 200 | 201), "{answer}");
        let session = cookies.iter().find(|cookie| cookie.starts_with("session=")).unwrap();
        let (status, answer) =
            self.ask("PUT", &format!("/user/{email}"), Who::Session(session), json!({ "email": email })).await;
        assert_eq!(status, 200, "{answer}");
        answer["token"].as_str().unwrap().to_owned()
    }

    async fn list(&self, path: &str, who: Who<'_>) -> Vec<Value> {
        let (status, answer) = self.ask("GET", path, who, Value::Null).await;
        assert_eq!(status, 200, "{answer}");
        answer.as_array().unwrap().clone()
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        // A failed test leaves no process running.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[derive(Clone, Copy)]
enum Who<'a> {
    Visitor,
    Session(&'a str),
    Bearer(&'a str),
}

/// The first and second half of a login request that the server has to wait for.
fn halves_of_a_login(keep_alive: bool) -> (String, String) {
    let body = r#"{"email":"customer@example.com","password":"demo-password"}"#;
    let (first, second) = body.split_at(20);
    let connection = if keep_alive { "keep-alive" } else { "close" };
    let head = format!(
        "POST /auth/login HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: {connection}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    (head + first, second.to_owned())
}

/// A valid expiry year: the card network refuses years in the past or too far in the future.
fn next_year() -> u64 {
    const SECONDS_A_YEAR: u64 = 31_556_952;
    let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    1971 + since_1970.as_secs() / SECONDS_A_YEAR
}

#[tokio::test]
async fn acknowledged_changes_survive_kill_9() {
    let data = folder();
    let shop = Shop::demo(data.path());
    let products = shop.list("/products", Who::Visitor).await;
    assert_eq!(products.len(), PARTS);
    let admin = shop.enter(None, "admin@example.com").await;
    let gone = products[9]["_id"].as_str().unwrap();
    let (_, archived) = shop.ask("DELETE", &format!("/products/{gone}"), Who::Bearer(&admin), Value::Null).await;
    assert_eq!(archived["deletedCount"], 1);
    let repriced = products[1]["_id"].as_str().unwrap();
    let price = json!({ "updatedQuantity": 0, "updatedPrice": 99 });
    shop.ask("PUT", &format!("/products/{repriced}"), Who::Bearer(&admin), price).await;
    let customer = shop.enter(Some("Robin Buyer"), "robin@example.com").await;
    let order = json!({
        "productId": products[0]["_id"], "quantity": 50, "name": "Robin Buyer", "email": "robin@example.com",
        "address": "1 Mill Lane", "phone": "555 0100"
    });
    let (status, placed) = shop.ask("POST", "/orders", Who::Bearer(&customer), order).await;
    assert_eq!(status, 201, "{placed}");
    // Paid at the card network, but the browser is gone before it reports the payment.
    let body = json!({ "orderId": placed["insertedId"], "price": products[0]["price"].as_f64().unwrap() * 50.0 });
    let (status, intent) = shop.ask("POST", "/create-payment-intent", Who::Bearer(&customer), body).await;
    assert_eq!(status, 200, "{intent}");
    let payment = json!({
        "clientSecret": intent["clientSecret"],
        "card": { "number": "4242424242424242", "expMonth": 12, "expYear": next_year(), "cvc": "123" },
        "billingDetails": { "name": "Robin Buyer", "email": "robin@example.com" }
    });
    let (status, paid) = shop.ask("POST", "/sandbox/payment-intents/confirm", Who::Bearer(&customer), payment).await;
    assert_eq!(status, 200, "{paid}");
    shop.kill();
    eventually("Postgres ends with the server", || !has_process_in(data.path()));

    let shop = Shop::demo(data.path());
    let after = shop.list("/products", Who::Visitor).await;
    assert_eq!(after.len(), PARTS - 1);
    assert!(after.iter().all(|product| product["_id"] != gone));
    assert_eq!(after[0]["availableQty"], products[0]["availableQty"].as_i64().unwrap() - 50);
    assert_eq!(after[1]["price"], 99);
    assert_eq!(shop.list("/reviews", Who::Visitor).await.len(), 12);
    // The earlier token is still valid: its secret is stored in the folder.
    let orders = shop.list("/orders?email=robin@example.com", Who::Bearer(&customer)).await;
    assert_eq!(orders.len(), 1);
    assert_eq!(orders[0]["_id"], placed["insertedId"]);
    // Open payments are looked at every few seconds; the rest is for a busy machine.
    let deadline = Instant::now() + Duration::from_mins(1);
    let order = format!("/orders/{}", placed["insertedId"].as_str().unwrap());
    while shop.ask("GET", &order, Who::Bearer(&customer), Value::Null).await.1["paid"] != true {
        assert!(Instant::now() < deadline, "the payment was not settled");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    shop.enter(None, "robin@example.com").await;
    let (_, role) = shop.ask("GET", "/admin/admin@example.com", Who::Bearer(&admin), Value::Null).await;
    assert_eq!(role["admin"], true);
    shop.stop(Signal::TERM);
    assert!(!has_process_in(data.path()));
}

#[tokio::test]
async fn an_interrupted_first_start_is_completed_by_the_next() {
    let data = folder();
    for after in [300, 900, 1_300, 1_600, 1_900, 600] {
        let mut process = demo(data.path(), 0).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(after));
        process.kill().unwrap();
        process.wait().unwrap();
    }
    let shop = Shop::demo(data.path());
    let names: Vec<String> =
        shop.list("/products", Who::Visitor).await.iter().map(|one| one["name"].to_string()).collect();
    assert_eq!(names.len(), PARTS);
    assert!(names[1].contains("312 mm front brake disc pair, vented"), "{names:?}");
    assert_eq!(shop.list("/reviews", Who::Visitor).await.len(), 12);
    shop.enter(None, "admin@example.com").await;
    shop.enter(None, "customer@example.com").await;
    shop.stop(Signal::INT);
}

#[tokio::test]
async fn a_demo_begins_with_ninety_days_of_trade_however_often_its_first_start_is_interrupted() {
    let data = folder();
    for after in [2_000, 3_000] {
        let mut process =
            demo_with_history(data.path(), 0).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(after));
        process.kill().unwrap();
        process.wait().unwrap();
    }
    let shop = Shop::open(&mut demo_with_history(data.path(), 0));
    let admin = shop.enter(None, "admin@example.com").await;
    let orders = async |state: &str| shop.list(&format!("/allOrders?state={state}"), Who::Bearer(&admin)).await;
    let all = orders("all").await;
    assert!((110..220).contains(&all.len()), "{}", all.len());
    for (state, least) in [("waiting", 5), ("shipped", 60), ("unpaid", 3), ("cancelled", 2), ("refunded", 2)] {
        assert!(orders(state).await.len() >= least, "{state}");
    }
    let paid = all.iter().filter(|order| order["paid"] == true).count();
    assert!(paid * 10 > all.len() * 7, "{paid} of {} are paid", all.len());
    // What was sold had been delivered for it: the stock is the catalogue's.
    let disc = shop.list("/products?q=DL-BD-3120", Who::Visitor).await;
    assert_eq!(disc[0]["availableQty"], 4_200);
    // Some of those who bought wrote what they think, once each.
    let reviews = shop.list("/reviews", Who::Visitor).await;
    assert_eq!(reviews.iter().filter(|review| review["verified"] == true).count(), 7);
    assert_eq!(reviews.len(), 12 + 7);
    assert_eq!(reviews.iter().filter(|review| review["productId"].is_string()).count(), 8 + 7);
    // Nobody waits for e-mails about orders of last month.
    assert_eq!(fs::read_dir(data.path().join("mail")).unwrap().count(), 0);
    shop.stop(Signal::TERM);

    let shop = Shop::open(&mut demo_with_history(data.path(), 0));
    let admin = shop.enter(None, "admin@example.com").await;
    assert_eq!(shop.list("/allOrders?state=all", Who::Bearer(&admin)).await.len(), all.len());
    shop.stop(Signal::TERM);
}

#[tokio::test]
async fn a_second_demo_on_the_same_folder_or_port_is_refused_and_does_no_harm() {
    let data = folder();
    let shop = Shop::demo(data.path());
    assert_refused(&demo(data.path(), 0).output().unwrap(), "is already in use by process");

    let port = shop.base.rsplit_once(':').unwrap().1.parse().unwrap();
    let elsewhere = data.path().join("elsewhere");
    assert_refused(&demo(&elsewhere, port).output().unwrap(), &format!("127.0.0.1:{port} is taken"));
    assert!(!elsewhere.exists(), "a taken port is reported before anything is changed");

    assert_eq!(shop.list("/products", Who::Visitor).await.len(), PARTS);
    shop.stop(Signal::TERM);
}

/// How long a demo takes to stop while a browser keeps an idle connection open, and a client one without a request.
fn stopped_in(data: &Path) -> Duration {
    let shop = Shop::demo(data);
    let mut idle = shop.connect();
    idle.write_all(b"GET /health/live HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n").unwrap();
    assert_ne!(idle.read(&mut [0; 1_024]).unwrap(), 0);
    let _silent = shop.connect();
    let began = Instant::now();
    shop.stop(Signal::HUP);
    let took = began.elapsed();
    assert!(!has_process_in(data));
    took
}

#[test]
fn an_idle_connection_does_not_delay_the_shutdown() {
    let data = folder();
    // The connection without a request would delay it by ten seconds and the other one by twenty, each time. What a
    // busy machine adds differs, so one of three has to be faster.
    let mut took = Vec::new();
    while took.len() < 3 {
        let this_time = stopped_in(data.path());
        if this_time < Duration::from_secs(8) {
            return;
        }
        took.push(this_time);
    }
    panic!("it took {took:?}");
}

#[test]
fn a_request_in_flight_is_answered_before_shutdown() {
    let data = folder();
    let mut shop = Shop::demo(data.path());
    let (first, second) = halves_of_a_login(true);
    let mut in_flight = shop.connect();
    in_flight.write_all(first.as_bytes()).unwrap();
    // Until the server has read its head, it is no request in flight.
    thread::sleep(Duration::from_secs(1));
    shop.signal(Signal::TERM);
    shop.closes_its_port();
    in_flight.write_all(second.as_bytes()).unwrap();
    let mut answer = [0; 15];
    in_flight.read_exact(&mut answer).unwrap();
    assert_eq!(String::from_utf8_lossy(&answer), "HTTP/1.1 200 OK");
    drop(in_flight);
    assert_eq!(shop.ends().code(), Some(0));
    assert!(!has_process_in(data.path()));
}

#[test]
fn a_second_signal_ends_the_program_immediately() {
    let data = folder();
    let mut shop = Shop::demo(data.path());
    let mut in_flight = shop.connect();
    in_flight.write_all(halves_of_a_login(true).0.as_bytes()).unwrap();
    // Until the server has read its head, it is no request in flight.
    thread::sleep(Duration::from_secs(1));
    shop.signal(Signal::INT);
    // Two signals that arrive together count as one.
    shop.closes_its_port();
    thread::sleep(Duration::from_secs(1));
    assert_eq!(shop.process.try_wait().unwrap(), None, "it waits for the request in flight");
    let began = Instant::now();
    shop.signal(Signal::INT);
    assert_eq!(shop.ends().code(), Some(0));
    // The request in flight has twenty seconds, of which two to three have passed: without the second signal it would
    // take the other seventeen.
    assert!(began.elapsed() < Duration::from_secs(15), "it took {:?}", began.elapsed());
    assert!(!has_process_in(data.path()));
}

#[test]
fn a_folder_that_cannot_be_written_is_reported_in_one_line() {
    let parent = folder();
    let closed = parent.path().join("closed");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, Permissions::from_mode(0o555)).unwrap();
    let mut command = demo(&closed.join("data"), 0);
    if rustix::process::geteuid().is_root() {
        // Root may write anywhere, so another user has to try, with a copy that they may execute.
        let copy = parent.path().join("driveline");
        fs::copy(env!("CARGO_BIN_EXE_driveline"), &copy).unwrap();
        fs::set_permissions(&copy, Permissions::from_mode(0o755)).unwrap();
        command = program_at(&copy);
        command.args(["demo", "--port", "0", "--data-dir"]).arg(closed.join("data"));
        command.uid(NOBODY).gid(NOBODY).current_dir("/");
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    assert_refused(&testkit::spawn_copied(&mut command).wait_with_output().unwrap(), "cannot write to");
    let a_file = parent.path().join("file");
    fs::write(&a_file, "").unwrap();
    assert_refused(&demo(&a_file, 0).output().unwrap(), "cannot write to");
}

#[test]
fn a_short_secret_is_refused_before_anything_is_changed() {
    let parent = folder();
    let data = parent.path().join("data");
    let output = demo(&data, 0).env("TOKEN_SECRET", "short").output().unwrap();
    assert_refused(&output, "TOKEN_SECRET is too short: 5 bytes");
    assert!(!data.exists());
}

/// The settings that `serve` requires, except for its database.
fn with_settings(command: &mut Command) -> &mut Command {
    command
        .env("PUBLIC_URL", "http://127.0.0.1")
        .env("PORT", "0")
        .env("TOKEN_SECRET", "0123456789abcdef0123456789abcdef")
        .env("STRIPE_SECRET_KEY", "sk_test_nobody")
        .env("STRIPE_PUBLISHABLE_KEY", "pk_test_nobody")
        .env("STRIPE_WEBHOOK_SECRET", "whsec_nobody")
        .env("STRIPE_API_BASE", "http://127.0.0.1:9")
}

#[test]
fn serve_reports_every_missing_setting_on_its_own_line() {
    let output = program().arg("serve").output().unwrap();
    let lines = lines_of(&output);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(lines.len(), 6, "{lines:?}");
    for name in ["DATABASE_URL", "PUBLIC_URL", "TOKEN_SECRET", "STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY"] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("driveline: {name} is not set"))), "{lines:?}");
    }
    for command in [&["migrate"][..], &["admin", "grant", "someone@example.com"]] {
        assert_refused(&program().args(command).output().unwrap(), "DATABASE_URL is not set");
    }
    let no_address = program().args(["admin", "grant", "someone"]).output().unwrap();
    assert_refused(&no_address, "is no e-mail address");
}

#[test]
fn migrate_waits_ten_seconds_for_its_database_and_reports_it() {
    // Nobody listens on this port, and nobody else can while it is bound.
    let bound = TcpSocket::new_v4().unwrap();
    bound.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let port = bound.local_addr().unwrap().port();
    let url = format!("postgres://driveline:s3cr3t@127.0.0.1:{port}/driveline");
    let mut command = program();
    let began = Instant::now();
    let output = with_settings(&mut command).env("DATABASE_URL", url).arg("migrate").output();
    let output = output.unwrap();
    assert_refused(&output, "does not answer within 10 s");
    assert!((9..20).contains(&began.elapsed().as_secs()), "it took {:?}", began.elapsed());
    assert!(!String::from_utf8_lossy(&output.stderr).contains("s3cr3t"));
}

#[tokio::test]
async fn serve_starts_on_an_empty_database_without_the_sandbox() {
    let images = folder();
    let mut command = program();
    command.args(["postgres", "--", "sh", "-c", r#"echo "url $DATABASE_URL"; exec "$0" serve"#]);
    command.arg(env!("CARGO_BIN_EXE_driveline")).env("DATA_DIR", images.path());
    let url = std::cell::RefCell::new(String::new());
    let shop = Shop::launch(with_settings(&mut command), |line| {
        if let Some(database_url) = line.strip_prefix("url ") {
            database_url.trim().clone_into(&mut url.borrow_mut());
        }
        let line: Value = serde_json::from_str(line).ok()?;
        (line["message"] == "the shop is open").then(|| format!("http://{}", line["address"].as_str().unwrap()))
    });
    let (_, config) = shop.ask("GET", "/config", Who::Visitor, Value::Null).await;
    let shop_facts = json!({
        "name": "Driveline", "company": null, "email": null, "phone": null, "address": null, "supportHours": null,
    });
    assert_eq!(
        config,
        json!({
            "paymentProvider": "stripe",
            "publishableKey": "pk_test_nobody",
            "google": false,
            "shop": shop_facts,
            "unpaidOrders": { "minutes": 1440, "minutesForNewAccounts": 60, "mostForNewAccounts": 20 },
        })
    );
    assert_eq!(shop.list("/products", Who::Visitor).await.len(), 0);
    let card = json!({ "clientSecret": "pi_secret", "card": {}, "billingDetails": {} });
    let (status, _) = shop.ask("POST", "/sandbox/payment-intents/confirm", Who::Visitor, card).await;
    assert_eq!(status, 404);

    let url = url.into_inner();
    let console = |arguments: &[&str]| program().args(arguments).env("DATABASE_URL", &url).output().unwrap();
    assert_refused(&console(&["admin", "grant", "first@example.com"]), "nobody has signed up as first@example.com");
    let token = shop.enter(Some("First Admin"), "first@example.com").await;
    // The user who signed up with an address need not be the one who reads its e-mail.
    assert_refused(&console(&["admin", "grant", "First@Example.com"]), "nobody has confirmed first@example.com yet");
    let granted = console(&["admin", "grant", "First@Example.com", "--unverified"]);
    assert_eq!(String::from_utf8_lossy(&granted.stdout), "first@example.com is an admin now.\n");
    let (_, role) = shop.ask("GET", "/admin/first@example.com", Who::Bearer(&token), Value::Null).await;
    assert_eq!(role["admin"], true);
    let migrated = console(&["migrate"]);
    assert_eq!(String::from_utf8_lossy(&migrated.stdout), "The database is up to date.\n");
    // The signal goes to `driveline postgres`, which passes it on and then returns the server's exit code.
    shop.stop(Signal::TERM);
}

#[test]
fn postgres_provides_a_database_and_passes_the_exit_code_on() {
    let temporary = folder();
    let script = r#"case "$DATABASE_URL" in postgres://*) ;; *) exit 1 ;; esac
        [ "$DATABASE_URL" = "$TEST_DATABASE_URL" ] || exit 2
        ls "$TMPDIR"; exit 7"#;
    let mut command = program();
    command.env("TMPDIR", temporary.path()).args(["postgres", "--", "sh", "-c", script]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(7), "{:?}", lines_of(&output));
    assert!(!output.stdout.is_empty(), "its data is in the temporary folder while it runs");
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0, "and is removed with it");

    let missing = program().args(["postgres", "--", "/nowhere/command"]).output().unwrap();
    assert_refused(&missing, "cannot run /nowhere/command");
}

#[test]
fn postgres_does_not_empty_an_existing_folder() {
    let data = folder();
    let existing: PathBuf = data.path().join("postgres");
    fs::create_dir(&existing).unwrap();
    fs::write(existing.join("password"), "theirs").unwrap();
    let mut command = program();
    command.args(["postgres", "--data-dir"]).arg(data.path()).args(["--", "true"]);
    assert_refused(&command.output().unwrap(), "holds data already");
    assert_eq!(fs::read_to_string(existing.join("password")).unwrap(), "theirs");
}

#[test]
fn the_openapi_document_is_printed_and_complete() {
    let output = program().arg("openapi").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    for path in ["/products", "/orders/{id}", "/webhooks/{provider}", "/sandbox/payment-intents/confirm"] {
        assert!(document["paths"][path].is_object(), "{path}");
    }
}
