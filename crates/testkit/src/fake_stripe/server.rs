//! An [`Account`] served over HTTP, with a clock and a webhook sender.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Response, StatusCode, Uri};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};

use super::account::{Account, Keys};
use super::calls::{Answer, Outcome, Request};
use super::faults::Rates;
use super::outbox::{Endpoint, Sending};

/// The largest accepted body, in bytes.
const MOST: usize = 1024 * 1024;
/// How long an endpoint may take to answer a webhook.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How often the webhook sender wakes up when nothing is due.
const IDLE: Duration = Duration::from_mins(1);

/// The settings of a [`FakeStripe`].
#[derive(Debug, Clone)]
pub struct Settings {
    /// The port on loopback; 0 for any free one.
    pub port: u16,
    pub keys: Keys,
    /// Where webhooks go.
    pub endpoint: Option<Endpoint>,
    /// The seed of all random decisions.
    pub seed: u64,
    /// The rates of random failures.
    pub rates: Rates,
}

impl Default for Settings {
    fn default() -> Self {
        let keys = Keys { secret: "sk_test_driveline".to_owned(), publishable: "pk_test_driveline".to_owned() };
        Self { port: 0, keys, endpoint: None, seed: 1, rates: Rates::default() }
    }
}

struct Shop {
    account: Mutex<Account>,
    /// How far the clock has been advanced.
    ahead: Mutex<Duration>,
    wake: Notify,
}

impl Shop {
    fn now(&self) -> Duration {
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        since_1970 + *self.ahead.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn account(&self) -> MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn advance(&self, by: Duration) {
        *self.ahead.lock().unwrap_or_else(PoisonError::into_inner) += by;
        self.account().catch_up(self.now());
        self.wake.notify_one();
    }
}

/// A fake Stripe on loopback, stopped when it is dropped.
pub struct FakeStripe {
    base: String,
    shop: Arc<Shop>,
    server: JoinHandle<()>,
    courier: JoinHandle<()>,
}

impl fmt::Debug for FakeStripe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FakeStripe").field(&self.base).finish()
    }
}

impl Drop for FakeStripe {
    fn drop(&mut self) {
        self.server.abort();
        self.courier.abort();
    }
}

impl FakeStripe {
    /// Starts, and prints its address and seed.
    ///
    /// # Errors
    /// If the port is taken.
    pub async fn start(settings: Settings) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", settings.port)).await?;
        let base = format!("http://{}", listener.local_addr()?);
        println!("fake Stripe on {base}, seed {}", settings.seed);
        let mut account = Account::new(settings.keys, &base, settings.seed, settings.rates);
        account.send_webhooks_to(settings.endpoint);
        let shop =
            Arc::new(Shop { account: Mutex::new(account), ahead: Mutex::new(Duration::ZERO), wake: Notify::new() });
        let server = tokio::spawn(serve(listener, Arc::clone(&shop)));
        let courier = tokio::spawn(carry(Arc::clone(&shop)));
        Ok(Self { base, shop, server, courier })
    }

    /// Its address, without a trailing slash.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Calls a function with the account and its current time.
    pub fn with<T>(&self, act: impl FnOnce(&mut Account, Duration) -> T) -> T {
        let done = act(&mut self.shop.account(), self.shop.now());
        self.shop.wake.notify_one();
        done
    }

    /// Advances its clock.
    pub fn advance(&self, by: Duration) {
        self.shop.advance(by);
    }

    /// Runs until the process is stopped.
    pub async fn run(mut self) {
        // Ends only with the process.
        let _ = (&mut self.server).await;
    }
}

async fn serve(listener: TcpListener, shop: Arc<Shop>) {
    // Dropped with this task, and every connection with it.
    let mut connections = JoinSet::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        while connections.try_join_next().is_some() {}
        let shop = Arc::clone(&shop);
        connections.spawn(async move {
            let service = service_fn(move |request| answer(Arc::clone(&shop), request));
            // A client that disconnects is no error here.
            let _ = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

/// Closes the connection instead of answering.
#[derive(Debug)]
struct HangUp;

impl fmt::Display for HangUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("hung up")
    }
}

impl std::error::Error for HangUp {}

async fn answer(shop: Arc<Shop>, request: hyper::Request<Incoming>) -> Result<Response<Full<Bytes>>, HangUp> {
    if request.method() == Method::OPTIONS {
        return Ok(respond(Answer { status: 204, headers: Vec::new(), body: String::new() }));
    }
    let (head, body) = request.into_parts();
    let header = |name: HeaderName| head.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let body = Limited::new(body, MOST).collect().await.map_err(|_| HangUp)?.to_bytes().to_vec();
    let path = head.uri.path().to_owned();
    let query = head.uri.query().unwrap_or_default().to_owned();
    if path == "/_fake/advance" {
        return Ok(respond(advance(&shop, &body)));
    }
    if path.starts_with("/_fake/") {
        let answer = shop.account().control(head.method.as_str(), &path, &query, &body, shop.now());
        shop.wake.notify_one();
        return Ok(respond(answer));
    }
    let request = Request {
        method: head.method.to_string(),
        path,
        query,
        authorization: header(AUTHORIZATION),
        idempotency_key: header(HeaderName::from_static("idempotency-key")),
        version: header(HeaderName::from_static("stripe-version")),
        body,
    };
    let outcome = shop.account().call(&request, shop.now());
    shop.wake.notify_one();
    match outcome {
        Outcome::Answer(answer, pause) => {
            sleep(pause).await;
            Ok(respond(answer))
        }
        Outcome::HangUp => Err(HangUp),
        // Until the client gives up, and this task is dropped.
        Outcome::Hang => std::future::pending().await,
    }
}

fn advance(shop: &Shop, body: &[u8]) -> Answer {
    let sent: Value = serde_json::from_slice(body).unwrap_or_default();
    let headers = vec![("content-type", "application/json".to_owned())];
    let Some(seconds) = sent["seconds"].as_u64().filter(|seconds| u32::try_from(*seconds).is_ok()) else {
        return Answer { status: 400, headers, body: json!({"error": "seconds is a number"}).to_string() };
    };
    shop.advance(Duration::from_secs(seconds));
    Answer { status: 200, headers, body: json!({"now": shop.now().as_secs()}).to_string() }
}

/// A page of any origin may read the responses: nothing here is secret.
fn respond(answer: Answer) -> Response<Full<Bytes>> {
    let cors = [
        ("access-control-allow-origin", "*".to_owned()),
        ("access-control-allow-methods", "GET, POST".to_owned()),
        ("access-control-allow-headers", "authorization, content-type, idempotency-key, stripe-version".to_owned()),
        ("access-control-expose-headers", "idempotent-replayed, request-id, retry-after, stripe-version".to_owned()),
    ];
    let mut response = Response::new(Full::new(Bytes::from(answer.body)));
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in answer.headers.into_iter().chain(cors) {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
    response
}

/// Sends webhooks when they are due, several concurrently.
async fn carry(shop: Arc<Shop>) {
    let mut under_way = JoinSet::new();
    loop {
        let now = shop.now();
        let due = shop.account().take_webhooks(now);
        for sending in due {
            let shop = Arc::clone(&shop);
            under_way.spawn(async move {
                let status = timeout(TIMEOUT, deliver(&sending)).await.ok().flatten();
                let now = shop.now();
                shop.account().webhook_came_to(&sending, status, now);
                shop.wake.notify_one();
            });
        }
        while under_way.try_join_next().is_some() {}
        let wait = shop.account().next_due().map_or(IDLE, |due| due.saturating_sub(shop.now()));
        let _ = timeout(wait, shop.wake.notified()).await;
    }
}

/// Sends one webhook, and returns the endpoint's status, if there is one.
async fn deliver(sending: &Sending) -> Option<u16> {
    let url: Uri = sending.url.parse().ok()?;
    let authority = url.authority()?;
    let stream = TcpStream::connect((authority.host(), authority.port_u16().unwrap_or(80))).await.ok()?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake::<_, Full<Bytes>>(TokioIo::new(stream)).await.ok()?;
    let carrier = tokio::spawn(connection);
    let request = hyper::Request::post(url.path_and_query()?.as_str())
        .header("host", authority.as_str())
        .header("content-type", "application/json; charset=utf-8")
        .header("stripe-signature", &sending.signature)
        .header("user-agent", "Stripe/1.0 (+https://stripe.com/docs/webhooks)")
        .body(Full::new(Bytes::from(sending.body.clone())))
        .ok()?;
    let status = sender.send_request(request).await.ok().map(|response| response.status().as_u16());
    carrier.abort();
    status
}
