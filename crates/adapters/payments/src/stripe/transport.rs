//! HTTP requests to Stripe, with retries and a deadline (<https://docs.stripe.com/error-low-level>).

use std::time::Duration;

use aws_lc_rs::rand;
use domain::Text;
use ports::provider_call;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use stripe_client_core::{RequestBuilder, StripeMethod, VERSION};
use thiserror::Error;
use tokio::time::{Instant, sleep, timeout_at};

/// Limit of a response in bytes; real ones have a few thousand.
const MAX_ANSWER: usize = 1024 * 1024;

/// Why the client for Stripe cannot be created.
#[derive(Debug, Error)]
pub enum StripeSetupError {
    /// The address is not an http(s) URL.
    #[error("Stripe's address is no http(s) URL")]
    Address,
    /// The secret key is empty or contains characters that no header may.
    #[error("Stripe's secret key is not one")]
    Key,
    /// The HTTP client cannot be created.
    #[error("cannot make an HTTP client for Stripe: {0}")]
    Client(#[source] reqwest::Error),
}

/// The timing of retries.
#[derive(Debug, Clone, Copy)]
pub(super) struct RetryPolicy {
    /// From the first attempt to the last response.
    deadline: Duration,
    /// Between the first two attempts; it doubles with each further attempt.
    pause: Duration,
}

impl RetryPolicy {
    pub(super) const DEFAULT: Self = Self { deadline: Duration::from_secs(10), pause: Duration::from_millis(300) };
    #[cfg(test)]
    pub(super) const IN_TESTS: Self = Self { deadline: Duration::from_millis(500), pause: Duration::from_millis(2) };
}

/// Maximum number of times a request is sent under one idempotency key.
const ATTEMPTS: u32 = 3;
/// Idempotency keys per operation: each but the last may be lost to a failure that Stripe replays.
const KEYS: u32 = 4;

/// A successful response.
pub(super) struct Answer {
    pub(super) body: Vec<u8>,
    /// Whether Stripe replayed its first response because it knew the idempotency key.
    pub(super) replayed: bool,
}

/// Why there is no successful response. Stripe's message is left out: the request id says more, and quotes nothing.
#[derive(Debug, Error)]
pub(super) enum Failure {
    #[error("Stripe cannot be reached: {0}")]
    Unreachable(#[source] reqwest::Error),
    #[error("Stripe did not answer in time")]
    TooLate,
    #[error("Stripe answered with status {status} ({kind}, {code}), request {request}")]
    Refused {
        status: StatusCode,
        kind: String,
        code: String,
        request: String,
        try_again: Option<bool>,
        /// How long to wait before the next attempt.
        wait: Option<Duration>,
        /// Whether Stripe replayed its response to an earlier request with the same idempotency key.
        replayed: bool,
    },
    #[error("Stripe's answer is too long")]
    TooLong,
}

impl Failure {
    /// Whether the failure may be transient.
    pub(super) fn may_pass(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::TooLate => true,
            Self::Refused { status, .. } => {
                status.is_server_error() || matches!(*status, StatusCode::TOO_MANY_REQUESTS | StatusCode::CONFLICT)
            }
            Self::TooLong => false,
        }
    }

    fn is_worth_another_attempt(&self) -> bool {
        match self {
            Self::Refused { replayed: true, .. } => false,
            // Stripe's `stripe-should-retry` header takes precedence over the status.
            Self::Refused { try_again: Some(try_again), .. } => *try_again,
            other => other.may_pass(),
        }
    }

    /// Whether Stripe failed once and replays that failure for as long as it keeps the idempotency key, which is a day.
    fn is_remembered(&self) -> bool {
        matches!(self, Self::Refused { status, replayed: true, .. } if status.is_server_error())
    }

    fn wait(&self) -> Duration {
        match self {
            Self::Refused { wait: Some(wait), .. } => *wait,
            _ => Duration::ZERO,
        }
    }

    /// The code of a final refusal: Stripe has understood the request and will not perform it, however often it is
    /// sent.
    pub(super) fn refusal(&self) -> Option<Text<200>> {
        match self {
            Self::Refused { status, code, kind, .. } if status.is_client_error() && !self.may_pass() => {
                let denied =
                    matches!(*status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::NOT_FOUND);
                let word = if code == "-" { kind } else { code };
                if denied { None } else { Text::new(word).ok() }
            }
            _ => None,
        }
    }

    pub(super) fn is_not_found(&self) -> bool {
        matches!(self, Self::Refused { status: StatusCode::NOT_FOUND, .. }) && self.has_code("resource_missing")
    }

    pub(super) fn has_code(&self, wanted: &str) -> bool {
        matches!(self, Self::Refused { code, .. } if code == wanted)
    }
}

pub(super) struct Transport {
    base: String,
    host: String,
    client: Client,
    retry: RetryPolicy,
}

impl Transport {
    pub(super) fn new(base: &str, secret_key: &SecretString, retry: RetryPolicy) -> Result<Self, StripeSetupError> {
        let mut url = Url::parse(base).map_err(|_| StripeSetupError::Address)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(StripeSetupError::Address);
        }
        url.path_segments_mut().map_err(|()| StripeSetupError::Address)?.pop_if_empty().push("v1");
        if secret_key.expose_secret().is_empty() {
            return Err(StripeSetupError::Key);
        }
        let mut bearer = HeaderValue::from_str(&format!("Bearer {}", secret_key.expose_secret()))
            .map_err(|_| StripeSetupError::Key)?;
        bearer.set_sensitive(true);
        let headers = HeaderMap::from_iter([
            (AUTHORIZATION, bearer),
            // Without it, the account's default version decides the format of the responses.
            ("stripe-version".parse().map_err(|_| StripeSetupError::Key)?, version()?),
        ]);
        let client = Client::builder()
            .default_headers(headers)
            // A redirect could send the key to another host.
            .redirect(Policy::none())
            .build()
            .map_err(StripeSetupError::Client)?;
        let host = url.host_str().unwrap_or_default().to_owned();
        Ok(Self { base: url.to_string(), host, client, retry })
    }

    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// Sends a request that must happen once and may not happen twice, under the operation's own idempotency key. If
    /// Stripe failed and only replays that failure, the operation continues under its next key, which is the same for
    /// every caller. So the request may be sent again although Stripe had begun it, and has to be harmless then.
    pub(super) async fn act(&self, request: &RequestBuilder, operation: &str) -> Result<Answer, Failure> {
        let mut number = 1;
        loop {
            let key = if number == 1 { operation.to_owned() } else { format!("{operation}-again-{number}") };
            match self.call(request, Some(&key)).await {
                Err(failure) if failure.is_remembered() && number < KEYS => number += 1,
                outcome => return outcome,
            }
        }
    }

    /// Sends a request until there is a response, at most three times and for ten seconds. Every attempt carries the
    /// same idempotency key, so that Stripe acts once. Without a key, the request has to be harmless when it is
    /// repeated.
    pub(super) async fn call(&self, request: &RequestBuilder, key: Option<&str>) -> Result<Answer, Failure> {
        let deadline = Instant::now() + self.retry.deadline;
        let mut attempt = 0;
        loop {
            let outcome = timeout_at(deadline, self.attempt(request, key)).await.unwrap_or(Err(Failure::TooLate));
            let failure = match outcome {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            attempt += 1;
            let pause = Duration::max(self.retry.pause * 2_u32.pow(attempt - 1), failure.wait());
            let in_time = Instant::now() + pause < deadline;
            if attempt >= ATTEMPTS || !in_time || !failure.is_worth_another_attempt() {
                return Err(failure);
            }
            tracing::debug!(%failure, attempt, "retrying the request to Stripe");
            sleep(Duration::max(jitter(pause), failure.wait())).await;
        }
    }

    async fn attempt(&self, request: &RequestBuilder, key: Option<&str>) -> Result<Answer, Failure> {
        let mut url = format!("{}{}", self.base, request.path);
        if let Some(query) = request.query.as_deref().filter(|query| !query.is_empty()) {
            url = format!("{url}?{query}");
        }
        let mut sending = match request.method {
            StripeMethod::Get => self.client.get(url),
            StripeMethod::Post => self.client.post(url),
            StripeMethod::Delete => self.client.delete(url),
        };
        if let Some(key) = key {
            sending = sending.header("idempotency-key", key);
        }
        if let Some(body) = &request.body {
            sending = sending.header(CONTENT_TYPE, "application/x-www-form-urlencoded").body(body.clone());
        }
        // What follows the first part of the path may be an id.
        let what = request.path.split('/').find(|part| !part.is_empty()).unwrap_or_default();
        let status = |response: &Response| Some(response.status().as_u16());
        let response = provider_call("stripe", what, &self.host, sending.send(), status).await.map_err(unreachable)?;
        let status = response.status();
        let headers = response.headers().clone();
        let header = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        let body = read(response).await?;
        let replayed = header("idempotent-replayed") == "true";
        if status.is_success() {
            return Ok(Answer { body, replayed });
        }
        let error = serde_json::from_slice(&body).map_or_else(|_| StripeError::default(), |body: ErrorBody| body.error);
        Err(Failure::Refused {
            status,
            kind: short(error.kind),
            code: short(error.code),
            request: short(Some(header("request-id"))),
            try_again: header("stripe-should-retry").parse().ok(),
            wait: header("retry-after").parse().ok().map(Duration::from_secs),
            replayed,
        })
    }
}

fn version() -> Result<HeaderValue, StripeSetupError> {
    HeaderValue::from_str(&VERSION.to_string()).map_err(|_| StripeSetupError::Key)
}

fn unreachable(error: reqwest::Error) -> Failure {
    Failure::Unreachable(error.without_url())
}

async fn read(mut response: Response) -> Result<Vec<u8>, Failure> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
        if body.len() + chunk.len() > MAX_ANSWER {
            return Err(Failure::TooLong);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

#[derive(Deserialize)]
struct ErrorBody {
    error: StripeError,
}

#[derive(Deserialize, Default)]
struct StripeError {
    #[serde(rename = "type")]
    kind: Option<String>,
    code: Option<String>,
}

/// Sanitises a value for the log: the response need not come from Stripe.
fn short(word: Option<String>) -> String {
    let clean = |c: &char| c.is_ascii_alphanumeric() || *c == '_' || *c == '-';
    word.map_or_else(|| "-".to_owned(), |word| word.chars().filter(clean).take(64).collect())
}

/// Between half of a pause and all of it, so that instances that failed together do not retry together.
fn jitter(pause: Duration) -> Duration {
    let mut byte = [128];
    // Without randomness, the middle is good enough.
    let _ = rand::fill(&mut byte);
    pause / 2 + pause / 512 * u32::from(byte[0])
}
