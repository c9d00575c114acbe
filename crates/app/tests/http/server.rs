//! The server under test, and an HTTP client for it.

use std::cell::Cell;
use std::collections::HashMap;
use std::future::{Future, IntoFuture};
use std::io::{BufRead, BufReader, Read as _, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::os::unix::fs::DirEntryExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use mailparse::MailHeaderMap;
use reqwest::header::HeaderMap;
use reqwest::{Client, Method, redirect};
use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, setrlimit};
use serde_json::Value;
use testkit::Sql;
use tokio::runtime::Runtime;

/// Runs a server until standard input ends, and then leaves neither a process nor a file behind.
///
/// The test harness ends the process without unwinding, so destructors are not reliable. A pipe is: it closes however
/// this process ends. The supervisor has a process group of its own, so that Ctrl-C in a terminal reaches it only
/// through the pipe.
const SUPERVISOR: &str = r#"
if [ -n "$LOG_TO" ]; then exec 2>"$LOG_TO"; fi
open() { eval "$SHOP" </dev/null & shop=$!; }
database() {
    for postgres in $(pgrep -P "$shop"); do
        kill "-$1" "$postgres" $(pgrep -P "$postgres") 2>/dev/null
    done
}
open
while read -r word; do
    case $word in
        crash) kill -9 "$shop"; wait "$shop" 2>/dev/null; echo crashed ;;
        open) open ;;
        freeze) database STOP; echo frozen ;;
        thaw) database CONT; echo thawed ;;
    esac
done
database CONT
kill "$shop" 2>/dev/null
wait "$shop" 2>/dev/null
rm -rf "$DATA_DIR"
"#;

/// The command that the supervisor runs: a demo, or the program as in production on a temporary Postgres.
const DEMO: &str =
    r#"[ -z "$DESCRIPTORS" ] || ulimit -n "$DESCRIPTORS"; exec "$DRIVELINE" demo --port 0 --data-dir "$DATA_DIR""#;
const SERVE: &str = r#"exec "$DRIVELINE" postgres -- sh -c 'echo "database $DATABASE_URL"; exec "$DRIVELINE" serve'"#;

/// A crowd is no overload here: an unoptimised program on a busy machine lets it wait for seconds.
const PATIENT: (&str, &str) = ("QUEUE_DELAY_MS", "0");

/// The settings that `serve` requires, except for its database.
const SETTINGS: [(&str, &str); 10] = [
    ("PUBLIC_URL", "http://127.0.0.1"),
    ("PORT", "0"),
    ("METRICS_ADDR", "127.0.0.1:0"),
    ("TOKEN_SECRET", "a secret of forty bytes, known to a test"),
    ("ADMIN_SECOND_FACTOR", "optional"),
    ("STRIPE_SECRET_KEY", "sk_test_nobody"),
    ("STRIPE_PUBLISHABLE_KEY", "pk_test_nobody"),
    ("STRIPE_WEBHOOK_SECRET", "whsec_nobody"),
    // There is no load balancer that has to notice the shutdown.
    ("DRAIN_SECONDS", "0"),
    PATIENT,
];

/// A running server.
pub(crate) struct Demo {
    policy: &'static str,
    /// The URL of the metrics; a demo serves them on its only port.
    pub(crate) metrics: Option<String>,
    /// The data folder of a demo.
    pub(crate) data_dir: PathBuf,
    supervisor: Mutex<Supervisor>,
    address: Mutex<String>,
}

struct Supervisor {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Supervisor {
    fn send(&mut self, word: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{word}").unwrap();
    }

    fn wait_for(&mut self, wanted: &str) -> String {
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).unwrap();
            assert_ne!(read, 0, "the server ended before it printed {wanted:?}");
            if let Some((_, rest)) = line.split_once(wanted) {
                return rest.trim().to_owned();
            }
        }
    }
}

impl Drop for Supervisor {
    /// Waits for the server of a single test, so that it is gone with its test. Waiting closes the pipe.
    fn drop(&mut self) {
        let _ = self.child.wait();
    }
}

impl Demo {
    /// Starts a demo with its own data folder and port.
    pub(crate) fn open(settings: &[(&str, &str)]) -> Self {
        let (mut supervisor, data_dir) = Self::supervisor(DEMO, &[&[("RUST_LOG", "warn"), PATIENT], settings].concat());
        let address = supervisor.wait_for("is open at ");
        Self {
            policy: POLICY,
            metrics: None,
            data_dir,
            supervisor: Mutex::new(supervisor),
            address: Mutex::new(address),
        }
    }

    /// Starts a server as in production, without the demo's data, and returns its database's URL as well.
    pub(crate) fn serve(settings: &[(&str, &str)]) -> (Self, String) {
        let log = ("RUST_LOG", "warn,driveline::serve=info");
        let (mut supervisor, data_dir) = Self::supervisor(SERVE, &[&[log], &SETTINGS[..], settings].concat());
        let database = supervisor.wait_for("database ");
        let line = supervisor.wait_for("\"metrics\":\"");
        let metrics = Some(format!("http://{}", line.split('"').next().unwrap()));
        let line = supervisor.wait_for("\"address\":\"");
        let address = format!("http://{}", line.split('"').next().unwrap());
        (
            Self {
                policy: POLICY_WITH_STRIPE,
                metrics,
                data_dir,
                supervisor: Mutex::new(supervisor),
                address: Mutex::new(address),
            },
            database,
        )
    }

    fn supervisor(shop: &str, settings: &[(&str, &str)]) -> (Supervisor, PathBuf) {
        static OPENED: AtomicU32 = AtomicU32::new(0);
        let nth = OPENED.fetch_add(1, Ordering::Relaxed);
        let data_dir = std::env::temp_dir().join(format!("driveline-http-{}-{nth}", std::process::id()));
        let mut child = Command::new("sh")
            .args(["-c", SUPERVISOR])
            .env("SHOP", shop)
            .env("DRIVELINE", env!("CARGO_BIN_EXE_driveline"))
            .env("DATA_DIR", &data_dir)
            .envs(settings.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        (Supervisor { child, output }, data_dir)
    }

    pub(crate) fn address(&self) -> String {
        self.address.lock().unwrap().clone()
    }

    /// The next line that the server prints with this in it.
    pub(crate) fn next_line_with(&self, wanted: &str) -> String {
        let mut supervisor = self.supervisor.lock().unwrap();
        loop {
            let mut line = String::new();
            assert_ne!(
                supervisor.output.read_line(&mut line).unwrap(),
                0,
                "the server ended before it printed {wanted:?}"
            );
            if line.contains(wanted) {
                return line;
            }
        }
    }

    /// The plain text of the e-mails to an address, oldest first.
    pub(crate) fn emails_to(&self, email: &str) -> Vec<String> {
        // A file is named by its number in the outbox; a file that is still being written does not begin with a number.
        let number = |path: &Path| {
            let name = path.file_name().unwrap().to_str().unwrap();
            name.split('.').next().unwrap().parse::<u64>().ok()
        };
        let entries = std::fs::read_dir(self.data_dir.join("mail")).unwrap().map(Result::unwrap);
        let mut files: Vec<(u64, PathBuf, u64)> =
            entries.filter_map(|entry| Some((number(&entry.path())?, entry.path(), entry.ino()))).collect();
        files.sort();
        let mut read_emails = READ_EMAILS.lock().unwrap();
        let emails = files.into_iter().filter_map(|(_, path, inode)| {
            let (to, text) =
                read_emails.entry((path, inode)).or_insert_with_key(|(path, _)| parsed(&std::fs::read(path).unwrap()));
            (to == email).then(|| text.clone())
        });
        emails.collect()
    }

    /// How to connect to a demo's private database, as `name=value` pairs. Its files say it; they are whole once it is open.
    fn database(&self) -> String {
        let root = self.data_dir.join("postgres");
        // Postgres' own file: process, data folder, start, port, socket folder.
        let running = std::fs::read_to_string(root.join("cluster/postmaster.pid")).unwrap();
        let lines: Vec<&str> = running.lines().map(str::trim).collect();
        let host = if lines[4].is_empty() { "127.0.0.1" } else { lines[4] };
        let password = std::fs::read_to_string(root.join("password")).unwrap();
        format!("host='{host}' port={} user=driveline password={} dbname=driveline", lines[3], password.trim())
    }

    /// Checks what must be true of a demo's database at any moment.
    pub(crate) async fn assert_sound(&self) {
        assert_eq!(self.violated().await, Vec::<String>::new());
    }

    /// What is not true of a demo's database, and must be at any moment.
    pub(crate) async fn violated(&self) -> Vec<String> {
        let database = self.database();
        RUNTIME.spawn_blocking(move || testkit::invariants(&database)).await.unwrap()
    }

    /// The number that a query of a demo's database returns.
    pub(crate) async fn count(&self, query: &str) -> i64 {
        let (database, query) = (self.database(), query.to_owned());
        RUNTIME.spawn_blocking(move || Sql::connect(&database).number(&query)).await.unwrap()
    }

    /// Runs statements in a session of a demo's database, which stays open until the result is dropped.
    pub(crate) async fn hold(&self, statements: &str) -> Sql {
        let (database, statements) = (self.database(), statements.to_owned());
        let held = move || {
            let mut session = Sql::connect(&database);
            session.run(&statements);
            session
        };
        RUNTIME.spawn_blocking(held).await.unwrap()
    }

    /// Kills the demo's private database, and not the server. An order may go through on a connection that has outlived
    /// the database of before, so the next one is waited for: until it runs, its file names the one that is gone.
    pub(crate) async fn kill_database(&self) {
        let file = self.data_dir.join("postgres/cluster/postmaster.pid");
        let kill = async || {
            let running = std::fs::read_to_string(&file).unwrap_or_default();
            let id = running.lines().next().and_then(|id| id.parse().ok()).and_then(Pid::from_raw);
            id.is_some_and(|id| kill_process(id, Signal::KILL).is_ok())
        };
        crate::fixtures::eventually(Duration::from_secs(30), kill).await;
    }

    /// Kills the server as a power cut would.
    pub(crate) fn crash(&self) {
        let mut supervisor = self.supervisor.lock().unwrap();
        supervisor.send("crash");
        supervisor.wait_for("crashed");
    }

    /// Freezes the server's database, as a failing disk would.
    pub(crate) fn freeze_database(&self) {
        let mut supervisor = self.supervisor.lock().unwrap();
        supervisor.send("freeze");
        supervisor.wait_for("frozen");
    }

    pub(crate) fn thaw_database(&self) {
        let mut supervisor = self.supervisor.lock().unwrap();
        supervisor.send("thaw");
        supervisor.wait_for("thawed");
    }

    /// Starts the server again on the same data.
    pub(crate) fn open_again(&self) {
        let mut supervisor = self.supervisor.lock().unwrap();
        supervisor.send("open");
        *self.address.lock().unwrap() = supervisor.wait_for("is open at ");
    }
}

/// The server that all tests share.
static SHOP: LazyLock<Demo> = LazyLock::new(|| Demo::open(&[]));

static RUNTIME: LazyLock<Runtime> =
    LazyLock::new(|| tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap());

static CLIENT: LazyLock<Client> = LazyLock::new(|| client(Ipv4Addr::LOCALHOST.into()));

/// The URL of the shared server.
pub(crate) fn shared_address() -> String {
    SHOP.address()
}

/// The plain text of the shared server's e-mails to an address, oldest first.
pub(crate) fn emails_to(email: &str) -> Vec<String> {
    SHOP.emails_to(email)
}

/// An e-mail's recipient and its plain text.
type Email = (String, String);

/// The e-mails that were read, by file and inode. Many tests look for theirs several times a second, and to parse all
/// e-mails of the run each time would keep a processor busy. A file is never written to: an e-mail that is sent again
/// replaces it by another file.
static READ_EMAILS: LazyLock<Mutex<HashMap<(PathBuf, u64), Email>>> = LazyLock::new(Mutex::default);

fn parsed(message: &[u8]) -> Email {
    let message = mailparse::parse_mail(message).unwrap();
    let recipients = mailparse::addrparse_header(message.headers.get_first_header("To").unwrap()).unwrap();
    let text = message.parts().find(|part| part.ctype.mimetype == "text/plain").unwrap();
    (recipients.extract_single_info().unwrap().addr, text.get_body().unwrap())
}

fn client(from: IpAddr) -> Client {
    Client::builder()
        .redirect(redirect::Policy::none())
        .local_address(from)
        .no_proxy()
        .timeout(Duration::from_secs(90))
        // Shorter than the server keeps an idle connection; otherwise a call could use a connection that is being
        // closed.
        .pool_idle_timeout(Duration::from_secs(5))
        .build()
        .unwrap()
}

thread_local! {
    /// How many calls to the shared server that buy, pay, ship or give back the test on this thread has prepared.
    static BUYS: Cell<i32> = const { Cell::new(0) };
}

/// Runs a test on the runtime that all tests share, because connections belong to a runtime. After one that buys, the shared
/// server's books are checked: whichever tests run beside it, they must be right at any moment.
pub(crate) fn run<T>(test: impl Future<Output = T>) -> T {
    let result = RUNTIME.block_on(test);
    if BUYS.take() > 0 {
        audit();
    }
    result
}

/// Checks the shared server's books; one check is enough for all tests that ended before it began.
fn audit() {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    let ended = Instant::now();
    // A test that failed here says so itself.
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if last.is_none_or(|last| last < ended) {
        let begun = Instant::now();
        RUNTIME.block_on(SHOP.assert_sound());
        *last = Some(begun);
    }
}

/// Runs a future concurrently with the test.
pub(crate) fn spawn<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> tokio::task::JoinHandle<T> {
    RUNTIME.spawn(work)
}

/// Lets this process have as many connections as it may.
pub(crate) fn raise_descriptors() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum }).unwrap();
}

/// Sends calls concurrently and returns their responses in the order of the calls.
pub(crate) async fn all(calls: impl IntoIterator<Item = Call>) -> Vec<Answer> {
    let sent: Vec<_> = calls.into_iter().map(|call| spawn(call.into_future())).collect();
    let mut answers = Vec::new();
    for answer in sent {
        answers.push(answer.await.unwrap());
    }
    answers
}

/// How often a call is sent at most that finds the server busy: for about a minute, as it is refused after three seconds.
const TRIES: usize = 10;

/// A call that has not been sent yet.
#[derive(Clone)]
pub(crate) struct Call {
    base: Option<String>,
    policy: &'static str,
    method: Method,
    path: String,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
    from: Option<IpAddr>,
    while_unavailable: bool,
}

/// What the paths of calls begin with that buy, pay, ship or give back.
const BUYING: [&str; 5] = ["/orders", "/checkouts", "/create-payment-intent", "/returns", "/payments"];

fn buys(method: &Method, path: &str) -> bool {
    *method != Method::GET && BUYING.iter().any(|begin| path.starts_with(begin))
}

pub(crate) fn call(method: &str, path: impl Into<String>) -> Call {
    let method = Method::from_bytes(method.as_bytes()).unwrap();
    let path = path.into();
    if buys(&method, &path) {
        BUYS.set(BUYS.get() + 1);
    }
    Call {
        base: None,
        policy: POLICY,
        method,
        path,
        headers: Vec::new(),
        body: Vec::new(),
        from: None,
        while_unavailable: false,
    }
}

pub(crate) fn get(path: impl Into<String>) -> Call {
    call("GET", path)
}

pub(crate) fn post(path: impl Into<String>, body: &Value) -> Call {
    call("POST", path).json(body)
}

pub(crate) fn put(path: impl Into<String>, body: &Value) -> Call {
    call("PUT", path).json(body)
}

pub(crate) fn patch(path: impl Into<String>, body: &Value) -> Call {
    call("PATCH", path).json(body)
}

pub(crate) fn delete(path: impl Into<String>) -> Call {
    call("DELETE", path)
}

impl Call {
    /// Sends the call to another server than the shared one.
    pub(crate) fn at(mut self, demo: &Demo) -> Self {
        if buys(&self.method, &self.path) && self.base.is_none() {
            BUYS.set(BUYS.get() - 1);
        }
        self.base = Some(demo.address());
        self.policy = demo.policy;
        self
    }

    pub(crate) fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn token(self, token: &str) -> Self {
        self.header("authorization", format!("Bearer {token}"))
    }

    pub(crate) fn session(self, session: &str) -> Self {
        self.header("cookie", format!("session={session}"))
    }

    pub(crate) fn key(self, key: &str) -> Self {
        self.header("idempotency-key", key)
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.body("application/json", body.to_string())
    }

    pub(crate) fn body(mut self, media_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self.header("content-type", media_type)
    }

    pub(crate) fn from(mut self, address: [u8; 4]) -> Self {
        self.from = Some(address.into());
        self
    }

    /// Allows 502 and 503: the database or a provider is unavailable.
    pub(crate) fn while_unavailable(mut self) -> Self {
        self.while_unavailable = true;
        self
    }

    /// Asserts that the body is refused as too large. It is refused before all of it was read, so the connection may
    /// break before the answer arrives.
    pub(crate) async fn refuses_as_too_large(self) {
        match self.attempt().await {
            Ok(answer) => assert_eq!(answer.refused(413)["type"], "/problems/payload-too-large"),
            Err(error) => assert!(!error.is_timeout(), "{error}"),
        }
    }

    /// Sends the call and checks what holds for every response; `Err` if there was none.
    ///
    /// A server that says it is busy is asked again when it says, as any client should: on a busy machine calls wait for
    /// the database for longer than they may. One that must not count twice needs an idempotency key, because a call that
    /// was answered with 503 may be done although it was.
    pub(crate) async fn attempt(self) -> Result<Answer, reqwest::Error> {
        for _ in 1..TRIES {
            let answer = self.clone().send().await?;
            if self.while_unavailable || answer.status != 503 {
                return Ok(answer);
            }
            eprintln!("{}: the server is busy, and asked again", answer.what);
            tokio::time::sleep(Duration::from_secs(answer.header("retry-after").parse().unwrap())).await;
        }
        let answer = self.send().await?;
        assert!(answer.status < 503, "asked {TRIES} times: {answer}");
        Ok(answer)
    }

    async fn send(self) -> Result<Answer, reqwest::Error> {
        let base = self.base.unwrap_or_else(|| SHOP.address());
        let what = format!("{} {}", self.method, self.path);
        let client = self.from.map_or_else(|| CLIENT.clone(), client);
        let mut request = client.request(self.method.clone(), format!("{base}{}", self.path)).body(self.body);
        for (name, value) in self.headers {
            request = request.header(name, value);
        }
        let response = request.send().await?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = response.bytes().await?.to_vec();
        let answer = Answer { what, policy: self.policy, status, headers, body };
        assert!(matches!(answer.status, ..500 | 503) || self.while_unavailable && answer.status == 502, "{answer}");
        answer.assert_common_rules(self.method == Method::HEAD);
        Ok(answer)
    }
}

impl IntoFuture for Call {
    type Output = Answer;
    type IntoFuture = Pin<Box<dyn Future<Output = Answer> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        let what = format!("{} {}", self.method, self.path);
        Box::pin(async move { self.attempt().await.unwrap_or_else(|error| panic!("{what}: {error:?}")) })
    }
}

/// A response.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) what: String,
    policy: &'static str,
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https: http:; \
    font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
    manifest-src 'self'";
const POLICY_WITH_STRIPE: &str = "default-src 'none'; script-src 'self' https://js.stripe.com; style-src 'self'; \
    img-src 'self' data: https: http:; font-src 'self'; connect-src 'self' https://api.stripe.com; \
    frame-src https://js.stripe.com https://hooks.stripe.com; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'; manifest-src 'self'";

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The body as text, decompressed if necessary.
    pub(crate) fn text(&self) -> String {
        if self.header("content-encoding") == "br" && !self.body.is_empty() {
            let mut text = Vec::new();
            brotli::BrotliDecompress(&mut self.body.as_slice(), &mut text)
                .unwrap_or_else(|error| panic!("{error}: {}", self.what));
            return String::from_utf8_lossy(&text).into_owned();
        }
        if self.header("content-encoding") == "gzip" && !self.body.is_empty() {
            let mut text = String::new();
            let read = flate2::read::GzDecoder::new(self.body.as_slice()).read_to_string(&mut text);
            read.unwrap_or_else(|error| panic!("{error}: {}", self.what));
            return text;
        }
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The API responses that are embedded in a page, if any.
    pub(crate) fn embedded(&self) -> Option<Value> {
        let text = self.text();
        let (_, rest) = text.split_once("<script type=\"application/json\" id=\"first-data\">")?;
        // Ends at the first closing tag, as a browser does.
        let (json, _) = rest.split_once("</script").unwrap();
        Some(serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {json}")))
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {self}"))
    }

    /// The response, if it has this status.
    #[track_caller]
    pub(crate) fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self}");
        self
    }

    /// The problem, if it has this status.
    #[track_caller]
    pub(crate) fn refused(self, status: u16) -> Value {
        self.is(status).json()
    }

    /// The message of one field, if the problem is a 422 with an error for it.
    #[track_caller]
    pub(crate) fn field(self, field: &str) -> String {
        let problem = self.clone().refused(422);
        let errors = problem["errors"].as_array().unwrap_or_else(|| panic!("no errors: {self}"));
        let found = errors.iter().find(|error| error["field"] == field);
        found.unwrap_or_else(|| panic!("no error for {field}: {self}"))["message"].as_str().unwrap().to_owned()
    }

    /// The value of a cookie that the response sets, and its attributes.
    pub(crate) fn cookie(&self, name: &str) -> Option<(String, String)> {
        self.headers.get_all("set-cookie").iter().find_map(|line| {
            let (pair, attributes) = line.to_str().unwrap().split_once(';')?;
            let (found, value) = pair.split_once('=')?;
            (found == name).then(|| (value.to_owned(), attributes.to_owned()))
        })
    }

    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    fn assert_common_rules(&self, is_head: bool) {
        assert_eq!(self.header("x-content-type-options"), "nosniff", "{self}");
        assert_eq!(self.header("content-security-policy"), self.expected_policy(), "{self}");
        assert_ne!(self.header("referrer-policy"), "", "{self}");
        assert_eq!(self.header("server"), "", "{self}");
        let is_health = self.what.contains(" /health/");
        if self.status >= 400 && !is_head && !is_health && !self.header("content-type").starts_with("text/html") {
            self.is_a_problem();
        }
    }

    /// The expected policy: a page's also allows its inline style and script by their digests.
    fn expected_policy(&self) -> String {
        let allow = |policy: String, kind: &str| {
            let source = format!("{kind}-src 'self'");
            policy.replace(&source, &format!("{source}{}", self.inline(kind, &source)))
        };
        ["style", "script"].into_iter().fold(self.policy.to_owned(), allow)
    }

    /// What the policy must allow for an inline style or script of the page.
    fn inline(&self, kind: &str, source: &str) -> String {
        let text = self.text();
        if !text.is_empty() && !self.header("content-type").starts_with("text/html") {
            return String::new();
        }
        let (begins, ends) = (format!("<{kind}>"), format!("</{kind}>"));
        match text.split_once(&begins).and_then(|(_, rest)| rest.split_once(&ends)) {
            Some((inline, _)) => {
                let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, inline.as_bytes());
                format!(" 'sha256-{}'", BASE64_STANDARD.encode(digest))
            }
            // A page without its body (304 or HEAD): some digest and nothing else.
            None if text.is_empty() => {
                let policy = self.header("content-security-policy").split(source).nth(1).unwrap_or_default();
                // Other sources may follow. Without a digest, the response is not a page.
                let digest = policy.split(';').next().unwrap_or_default().get(..54).unwrap_or_default();
                if digest.starts_with(" 'sha256-") { digest.to_owned() } else { String::new() }
            }
            None => String::new(),
        }
    }

    fn is_a_problem(&self) {
        assert_eq!(self.header("content-type"), "application/problem+json", "{self}");
        let problem = self.json();
        assert_eq!(problem["status"], self.status, "{self}");
        assert!(problem["type"].as_str().is_some_and(|kind| kind.starts_with("/problems/")), "{self}");
        for member in ["title", "detail", "message"] {
            assert!(problem[member].as_str().is_some_and(|text| !text.trim().is_empty()), "{member}: {self}");
        }
        if let Some(errors) = problem.get("errors") {
            let errors = errors.as_array().unwrap_or_else(|| panic!("{self}"));
            assert!(!errors.is_empty(), "{self}");
            for error in errors {
                assert!(error["field"].is_string(), "{self}");
                assert!(error["message"].as_str().is_some_and(|text| !text.trim().is_empty()), "{self}");
            }
        }
    }
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text: String = self.text().chars().take(2_000).collect();
        write!(f, "{} answered {} {:?}\n{text}", self.what, self.status, self.headers)
    }
}
