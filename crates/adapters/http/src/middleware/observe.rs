//! The headers of every response, and the log line and metrics of every request. A path, query, header or body is never
//! logged, because it may hold addresses, tokens or card numbers.

use std::rc::Rc;
use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, Method};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpMessage};
use tracing::Span;

use super::content_policy::ContentPolicy;
use super::trace;
use crate::app_state::AppState;
use crate::connection::Seat;

pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// How many requests there were, by method, route and status.
pub(crate) const REQUESTS: &str = "http_requests_total";
/// How long they took, by route.
pub(crate) const DURATIONS: &str = "http_request_duration_seconds";

/// The id of a request, as in the log and in its response.
pub(crate) struct RequestId(pub(crate) String);

/// Gives a request an id, logs and measures it, and adds the headers that every response carries.
pub(crate) async fn observe(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let begun = Instant::now();
    let seat = request.conn_data::<Rc<Seat>>().cloned();
    if let Some(seat) = &seat {
        seat.serve();
    }
    let app = request.app_data::<Data<AppState>>().cloned();
    let policy = request.app_data::<Data<ContentPolicy>>().cloned();
    let id = app.as_ref().map(|app| app.ids.fresh().to_string()).unwrap_or_default();
    request.extensions_mut().insert(RequestId(id.clone()));
    let method = known(request.method());
    let pattern = request.match_pattern();
    let trace = app.as_ref().map(|app| trace::begin(&request, app, &id, method, pattern.as_deref()));
    let answering = next.call(request);
    let mut response = match trace.clone() {
        Some(trace) => trace.run(answering).await?,
        None => answering.await?,
    };

    let status = response.status().as_u16();
    let took = begun.elapsed();
    let log = trace.map_or_else(Span::none, |trace| {
        trace.end(response.status());
        trace.log
    });
    let route = pattern.unwrap_or_else(|| "static".to_owned());
    log.in_scope(|| {
        tracing::info!(route, status, ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX), "answered");
    });
    metrics::counter!(REQUESTS, "method" => method, "route" => route.clone(), "status" => status.to_string())
        .increment(1);
    metrics::histogram!(DURATIONS, "route" => route).record(took.as_secs_f64());

    if seat.is_some_and(|seat| seat.is_wanted()) {
        response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
    }
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert(REQUEST_ID, id);
    }
    let is_https = app.is_some_and(|app| app.settings.is_https());
    secure(headers, policy.as_ref().map(Data::get_ref), is_https);
    Ok(response)
}

/// Adds what every response says to browsers for safety's sake. A page may have set a stricter value.
pub(crate) fn secure(headers: &mut HeaderMap, policy: Option<&ContentPolicy>, is_https: bool) {
    for (name, value) in SECURITY {
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    if let Some(policy) = policy
        && !headers.contains_key(header::CONTENT_SECURITY_POLICY)
    {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy.header());
    }
    if is_https {
        let two_years = HeaderValue::from_static("max-age=63072000; includeSubDomains");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, two_years);
    }
}

/// A method's name, if the shop uses it. Every label of a metric is kept for as long as the process runs, and a client
/// can send any word as a method.
fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

const SECURITY: [(HeaderName, &str); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
    (header::PERMISSIONS_POLICY, "camera=(), geolocation=(), microphone=()"),
    (header::CROSS_ORIGIN_OPENER_POLICY, "same-origin"),
    (header::CROSS_ORIGIN_RESOURCE_POLICY, "same-origin"),
];
