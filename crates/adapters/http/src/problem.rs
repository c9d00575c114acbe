//! Problem details (RFC 9457): the only place that knows status codes for errors.
//!
//! The client gets a sentence (`message`); the cause is logged, once.

use std::convert::Infallible;
use std::error::Error as StdError;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT_ENCODING, CONTENT_TYPE, RETRY_AFTER};
use actix_web::{HttpResponse, ResponseError};
use application::{Failure, Unavailable};
use domain::ProductId;
use domain::accounts::access::Denied;
use ports::{Busy, ProviderError, StoreError, error_chain};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::request_trace::current_id;

/// The media type of every error.
pub(crate) const MEDIA_TYPE: &str = "application/problem+json";

/// What went wrong with one field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldError {
    /// The field as it is called in the payload; a dotted path for a nested one.
    pub field: String,
    /// The sentence that belongs beside it.
    pub message: String,
}

/// An error that is sent as problem details.
#[derive(Debug, Clone)]
pub struct Problem {
    status: StatusCode,
    slug: &'static str,
    title: &'static str,
    message: String,
    errors: Vec<FieldError>,
    more: Map<String, Value>,
    wait_seconds: Option<u32>,
    /// Whether the response has to say that only unencoded bodies are accepted (RFC 9110, section 15.5.16).
    plain_only: bool,
    retryable: bool,
}

/// Marks a response as temporary: the same request may get another one later, so it is not stored under its idempotency
/// key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Retryable;

/// An error as it goes out (RFC 9457, `application/problem+json`).
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemView<'a> {
    /// `/problems/<slug>`, stable, for programs.
    #[serde(rename = "type")]
    kind: String,
    /// The kind in a few words.
    title: &'a str,
    /// The HTTP status.
    status: u16,
    /// What happened this time.
    detail: &'a str,
    /// The sentence that a screen may show.
    message: &'a str,
    /// Names the work that this answer came of, in the shop's log and in its traces: 32 hexadecimal digits.
    #[serde(rename = "traceId", skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false, min_length = 32, max_length = 32)]
    trace_id: Option<String>,
    /// What is wrong with which field.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[schema(required = false)]
    errors: &'a [FieldError],
    /// Figures that a program may use, such as `available` or `price`.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    more: &'a Map<String, Value>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, slug: &'static str, title: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            status,
            slug,
            title,
            message,
            errors: Vec::new(),
            more: Map::new(),
            wait_seconds: None,
            plain_only: false,
            retryable: false,
        }
    }

    /// The idempotency key belongs to another request.
    pub(crate) fn key_reused() -> Self {
        let message = "This Idempotency-Key was used for another request";
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "idempotency-mismatch", "Key used before", message)
    }

    /// Adds a member, such as a figure for programs.
    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.more.insert(name.to_owned(), value.into());
        self
    }

    /// Names the fields that are wrong.
    pub(crate) fn about(mut self, errors: Vec<FieldError>) -> Self {
        self.errors = errors;
        self
    }

    /// Replaces the sentence.
    pub(crate) fn saying(mut self, message: &str) -> Self {
        message.clone_into(&mut self.message);
        self
    }

    /// Marks the problem as temporary, see [`Retryable`].
    pub(crate) fn retryable(mut self) -> Self {
        self.retryable = true;
        self
    }

    pub(crate) fn retry_after(mut self, wait: Duration) -> Self {
        self.wait_seconds = Some(u32::try_from(wait.as_secs()).unwrap_or(u32::MAX).max(1));
        self
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad-request", "Bad request", message)
    }

    /// Parseable but invalid, field by field; the message is that of the first field.
    pub(crate) fn invalid(errors: Vec<FieldError>) -> Self {
        let message =
            errors.first().map_or_else(|| "Some of the values are invalid".to_owned(), |first| first.message.clone());
        Self { errors, ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, "validation", "Invalid input", message) }
    }

    pub(crate) fn invalid_field(field: &str, message: impl Into<String>) -> Self {
        Self::invalid(vec![FieldError { field: field.to_owned(), message: message.into() }])
    }

    pub(crate) fn unauthenticated() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthenticated", "Not signed in", "Please sign in to continue")
    }

    fn forbidden() -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", "Not allowed", "You are not authorized to do this")
    }

    /// Another site's page made this call with the visitor's cookies.
    pub(crate) fn foreign_page() -> Self {
        let message = "This request came from another website, so we didn't process it.";
        Self::new(StatusCode::FORBIDDEN, "foreign-page", "Asked by another site", message)
    }

    /// The request is for a host name that is not this shop's.
    pub(crate) fn misdirected() -> Self {
        let message = "A demo answers only to 127.0.0.1 and localhost";
        Self::new(StatusCode::MISDIRECTED_REQUEST, "misdirected", "Another host", message)
    }

    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", "Not found", "We couldn't find what you were looking for")
    }

    /// Google does not vouch for the e-mail address.
    pub(crate) fn google_unverified(message: &'static str) -> Self {
        Self::conflict("google-unverified", "E-mail not verified", message)
    }

    /// A product that is not sold any more, because another is sold in its place.
    pub(crate) fn replaced(by: &ProductId) -> Self {
        let message = "This part was replaced by another";
        Self::new(StatusCode::GONE, "replaced", "Replaced", message).with("replacedBy", by.to_string())
    }

    /// A product that is not sold any more, without another in its place.
    pub(crate) fn no_longer_sold() -> Self {
        Self::new(StatusCode::GONE, "no-longer-sold", "No longer sold", "This part is no longer sold")
    }

    /// A link that was used, has expired, or never existed.
    pub(crate) fn link_gone() -> Self {
        Self::new(StatusCode::GONE, "link-gone", "Gone", "This link has expired or has already been used.")
    }

    /// The path exists, but not with this method.
    pub(crate) fn method_not_allowed() -> Self {
        let message = "This isn't supported here";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", "Method not allowed", message)
    }

    pub(crate) fn conflict(slug: &'static str, title: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, slug, title, message)
    }

    /// The body is larger than this route accepts.
    pub(crate) fn too_large(most: usize) -> Self {
        let message = format!("This is too large: the limit is {}", size(most));
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "payload-too-large", "Too large", message)
    }

    /// The file has more rows than this route accepts.
    pub(crate) fn too_many_rows(most: usize) -> Self {
        let message = format!("This file is too long: the limit is {most} rows");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "payload-too-large", "Too large", message)
    }

    /// Not a media type that this route accepts.
    pub(crate) fn unsupported_media(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", "Wrong media type", message)
    }

    /// The body is compressed or otherwise encoded.
    pub(crate) fn encoded() -> Self {
        let plain = Self::unsupported_media("Send the body without a Content-Encoding");
        Self { plain_only: true, ..plain }
    }

    /// The body did not arrive in time.
    pub(crate) fn too_slow() -> Self {
        let message = "The request took too long to arrive. Please try again.";
        Self::new(StatusCode::REQUEST_TIMEOUT, "timeout", "Too slow", message)
    }

    /// Too many requests from one client.
    pub(crate) fn rate_limited(wait: Duration) -> Self {
        let message = "Too many requests. Please wait a moment.";
        Self::new(StatusCode::TOO_MANY_REQUESTS, "rate-limited", "Too many requests", message).retry_after(wait)
    }

    /// Temporarily unavailable: the client should retry.
    pub(crate) fn unavailable() -> Self {
        let message = "The store is busy right now. Please try again in a moment.";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", "Not available", message)
            .retry_after(Duration::from_secs(2))
    }

    pub(crate) fn defect(cause: &(dyn StdError + 'static)) -> Self {
        tracing::error!(cause = error_chain(cause), "internal error");
        Self::our_mistake()
    }

    /// A handler panicked, and said this. Another try may go well, so the answer is not kept under its idempotency key.
    pub(crate) fn panicked(said: &str) -> Self {
        tracing::error!(said, "a handler panicked");
        Self::our_mistake().retryable()
    }

    fn our_mistake() -> Self {
        let message = "Something went wrong on our side. Please try again.";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "defect", "Our mistake", message)
    }

    pub(crate) fn view(&self) -> ProblemView<'_> {
        ProblemView {
            kind: format!("/problems/{}", self.slug),
            title: self.title,
            status: self.status.as_u16(),
            detail: &self.message,
            message: &self.message,
            trace_id: current_id().map(|id| id.to_string()),
            errors: &self.errors,
            more: &self.more,
        }
    }
}

fn size(bytes: usize) -> String {
    if bytes >= 1_000_000 { format!("{} MB", bytes / 1_000_000) } else { format!("{} KB", bytes / 1_000) }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.status, self.message)
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        self.status
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status);
        if let Some(wait) = self.wait_seconds {
            response.insert_header((RETRY_AFTER, wait.to_string()));
        }
        if self.plain_only {
            response.insert_header((ACCEPT_ENCODING, "identity"));
        }
        let body = serde_json::to_vec(&self.view()).unwrap_or_default();
        let mut response = response.insert_header((CONTENT_TYPE, MEDIA_TYPE)).body(body);
        if self.retryable {
            response.extensions_mut().insert(Retryable);
        }
        response
    }
}

impl From<Denied> for Problem {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::Forbidden => Self::forbidden(),
            Denied::NotFound => Self::not_found(),
            Denied::SecondFactor(needed) => needed.into(),
        }
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::Unavailable(_) => {
                tracing::warn!(cause = error_chain(&error), "the database is unavailable");
                Self::unavailable()
            }
            StoreError::Internal(_) => Self::defect(&error),
            StoreError::KeyReused => Self::key_reused(),
            // Nobody gets to see this one: the middleware claims the key, and gets the response or runs the request.
            StoreError::KeyClaimed => {
                Self::conflict("request-in-progress", "Request in progress", "This request is already being processed.")
            }
        }
    }
}

impl From<ProviderError> for Problem {
    fn from(error: ProviderError) -> Self {
        tracing::warn!(cause = error_chain(&error), "a provider failed");
        match error {
            ProviderError::Unavailable(_) => Self::unavailable(),
            ProviderError::InvalidResponse(_) => {
                let message = "One of our services isn't responding correctly. Nothing was changed; please try again.";
                Self::new(StatusCode::BAD_GATEWAY, "bad-gateway", "Bad answer from a provider", message)
            }
        }
    }
}

impl From<Busy> for Problem {
    fn from(busy: Busy) -> Self {
        match busy {
            Busy::OwnQueue => Self::rate_limited(Duration::from_secs(1)),
            Busy::Machine => Self::unavailable(),
        }
    }
}

impl<R: Into<Problem>> From<Failure<R>> for Problem {
    fn from(failure: Failure<R>) -> Self {
        match failure {
            Failure::Denied(denied) => denied.into(),
            Failure::Unavailable(cause) => cause.into(),
            Failure::Refused(refusal) => refusal.into(),
        }
    }
}

impl From<Unavailable> for Problem {
    fn from(cause: Unavailable) -> Self {
        match cause {
            Unavailable::Store(error) => error.into(),
            Unavailable::Provider(error) => error.into(),
            Unavailable::Busy(busy) => busy.into(),
            Unavailable::Contended => Self::unavailable(),
        }
    }
}

impl From<Infallible> for Problem {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(problem: &Problem) -> Value {
        serde_json::to_value(problem.view()).unwrap()
    }

    #[test]
    fn a_problem_has_the_members_of_rfc_9457_and_a_message() {
        let told = json(&Problem::not_found());
        assert_eq!(told["type"], "/problems/not-found");
        assert_eq!(told["status"], 404);
        for member in ["title", "detail", "message"] {
            assert!(told[member].as_str().is_some_and(|text| !text.is_empty()), "{member}");
        }
        assert_eq!(told.get("errors"), None);
    }

    #[test]
    fn an_unavailable_database_asks_for_a_retry_and_leaks_no_detail() {
        let problem = Problem::from(StoreError::Unavailable("connection to 10.0.0.7 refused".into()));
        let response = problem.error_response();
        assert_eq!(response.status(), 503);
        assert!(response.headers().contains_key(RETRY_AFTER));
        assert!(!json(&problem).to_string().contains("10.0.0.7"));
    }
}
