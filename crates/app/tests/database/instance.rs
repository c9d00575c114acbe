//! A `driveline serve` that a test asks, signals and reads the log of.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use reqwest::{Client, Method, RequestBuilder, Response};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

/// One instance of `driveline serve`.
pub(crate) struct Instance {
    process: Child,
    log_lines: Arc<Mutex<Vec<String>>>,
    base: String,
    client: Client,
}

pub(crate) fn command(arguments: &[&str], settings: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_driveline"));
    command
        .args(arguments)
        .env("PUBLIC_URL", "http://127.0.0.1")
        .env("PORT", "0")
        // One account may place any number of orders.
        .env("UNPAID_ORDERS_NEW", "10000")
        // A crowd is no overload here: an unoptimised program on a busy machine lets it wait for seconds.
        .env("QUEUE_DELAY_MS", "0")
        .env("TOKEN_SECRET", "a secret of forty bytes, known to a test")
        .env("ADMIN_SECOND_FACTOR", "optional")
        .env("STRIPE_SECRET_KEY", "sk_test_nobody")
        .env("STRIPE_PUBLISHABLE_KEY", "pk_test_nobody")
        .env("STRIPE_WEBHOOK_SECRET", "whsec_nobody")
        .env("METRICS_ADDR", "127.0.0.1:0")
        .env("DATA_DIR", std::env::temp_dir().join(format!("driveline-database-{}", std::process::id())))
        .env("RUST_LOG", "info,actix_http=off")
        .envs(settings.iter().copied())
        .stdin(Stdio::null());
    command
}

/// Sends a request until it is answered by something else than 503, for a minute.
async fn once_free(request: impl Fn() -> RequestBuilder) -> Response {
    let begun = Instant::now();
    loop {
        let answer = request().send().await.unwrap();
        if answer.status().as_u16() != 503 {
            return answer;
        }
        assert!(answer.headers().contains_key("retry-after"), "a 503 without Retry-After");
        assert!(begun.elapsed() < Duration::from_mins(1), "{} is not answered", answer.url());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

impl Instance {
    /// Starts an instance and waits until it listens.
    pub(crate) fn start(settings: &[(&str, &str)]) -> Self {
        let mut process = command(&["serve"], settings).stdout(Stdio::piped()).spawn().unwrap();
        let mut reader = BufReader::new(process.stdout.take().unwrap());
        let mut line = String::new();
        let base = loop {
            line.clear();
            assert_ne!(reader.read_line(&mut line).unwrap(), 0, "the server exited before it listened");
            let entry: Value = serde_json::from_str(&line).unwrap_or_default();
            if let (Some("listening"), Some(address)) = (entry["message"].as_str(), entry["on"].as_str()) {
                break format!("http://{address}");
            }
        };
        let log_lines = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&log_lines);
        thread::spawn(move || {
            for line in reader.lines().map_while(Result::ok) {
                sink.lock().unwrap().push(line);
            }
        });
        let client = Client::builder().no_proxy().timeout(Duration::from_secs(30)).build().unwrap();
        Self { process, log_lines, base, client }
    }

    /// The number of log lines that contain these words.
    pub(crate) fn logged(&self, words: &str) -> usize {
        self.log_lines.lock().unwrap().iter().filter(|line| line.contains(words)).count()
    }

    /// Waits for a line that contains these words: it is read a moment after it is written.
    pub(crate) async fn logs(&self, words: &str) {
        let begun = Instant::now();
        while self.logged(words) == 0 {
            assert!(begun.elapsed() < Duration::from_secs(20), "not logged: {words}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub(crate) async fn ask(&self, method: Method, path: &str, token: &str, body: &Value) -> Response {
        self.request(method, path, token, body).send().await.unwrap()
    }

    pub(crate) fn request(&self, method: Method, path: &str, token: &str, body: &Value) -> RequestBuilder {
        let mut request = self.client.request(method, format!("{}{path}", self.base));
        if !body.is_null() {
            request = request.json(body);
        }
        if !token.is_empty() {
            request = request.bearer_auth(token);
        }
        request
    }

    /// A connection for bytes that no client would send by itself.
    pub(crate) async fn connect(&self) -> tokio::net::TcpStream {
        tokio::net::TcpStream::connect(self.base.trim_start_matches("http://")).await.unwrap()
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        self.ask(Method::GET, path, "", &Value::Null).await
    }

    pub(crate) async fn status(&self, path: &str) -> u16 {
        self.get(path).await.status().as_u16()
    }

    /// Waits until it reports that it is ready.
    pub(crate) async fn is_ready_within(&self, limit: Duration) {
        let begun = Instant::now();
        while self.status("/health/ready").await != 200 {
            assert!(begun.elapsed() < limit, "not ready after {limit:?}: {:#?}", self.log_lines.lock().unwrap());
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Signs a user up and returns their token. Copies that are asked by many at once may be too busy at first.
    pub(crate) async fn sign_up(&self, email: &str) -> String {
        let user = json!({"name": "Some Body", "email": email, "password": "a long walk home"});
        let mut answer = once_free(|| self.request(Method::POST, "/auth/signup", "", &user)).await;
        // A try before this one was answered with 503, and done.
        if answer.status().as_u16() == 409 {
            answer = once_free(|| self.request(Method::POST, "/auth/login", "", &user)).await;
        }
        assert!(answer.status().is_success(), "{}", answer.text().await.unwrap());
        let cookie = answer.headers().get_all("set-cookie").iter().find_map(|line| {
            let line = line.to_str().unwrap();
            line.starts_with("session=").then(|| line.split(';').next().unwrap().to_owned())
        });
        let cookie = cookie.unwrap();
        let asking =
            || self.request(Method::PUT, &format!("/user/{email}"), "", &Value::Null).header("cookie", &cookie);
        let answer: Value = once_free(asking).await.json().await.unwrap();
        answer["token"].as_str().unwrap().to_owned()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.process), signal).unwrap();
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.process.try_wait().unwrap().is_none()
    }

    pub(crate) async fn ended(&mut self, limit: Duration) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return status;
            }
            assert!(begun.elapsed() < limit, "the server does not exit");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
