//! The headers of every response, and the log line and metrics of every request. A path, query, header or body is never
//! logged, because it may hold addresses, tokens or card numbers.

use std::rc::Rc;
use std::time::Instant;

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::http::{ConnectionType, Method};
use actix_web::middleware::Next;
use actix_web::web::Data;
use tracing::Instrument;

use crate::app_state::{AppState, Settings};
use crate::connection::Seat;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

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
    let id = app.as_ref().map(|app| app.ids.fresh().to_string()).unwrap_or_default();
    let method = known(request.method());
    let span = tracing::info_span!("request", id, method);
    let mut response = next.call(request).instrument(span.clone()).await?;

    let route = response.request().match_pattern().unwrap_or_else(|| "static".to_owned());
    let status = response.status().as_u16();
    let took = begun.elapsed();
    span.in_scope(|| {
        tracing::info!(route, status, ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX), "answered");
    });
    metrics::counter!("http_requests_total", "method" => method, "route" => route.clone(), "status" => status.to_string())
        .increment(1);
    metrics::histogram!("http_request_duration_seconds", "route" => route).record(took.as_secs_f64());

    if seat.is_some_and(|seat| seat.is_wanted()) {
        response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
    }
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert(REQUEST_ID, id);
    }
    for (name, value) in SECURITY {
        // A page may have set a stricter value.
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    if let Some(app) = app {
        // A page has already set its own.
        if !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
            let policy = HeaderValue::from_static(general_policy(&app.settings));
            headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        if app.settings.is_https() {
            let two_years = HeaderValue::from_static("max-age=63072000; includeSubDomains");
            headers.insert(header::STRICT_TRANSPORT_SECURITY, two_years);
        }
    }
    Ok(response)
}

/// The content security policy of a page, with the digests (`sha256-...`) of its one inline style and its one inline
/// script.
pub(crate) fn policy_of_page(settings: &Settings, style: &str, script: &str) -> String {
    general_policy(settings).replacen("style-src 'self'", &format!("style-src 'self' '{style}'"), 1).replacen(
        "script-src 'self'",
        &format!("script-src 'self' '{script}'"),
        1,
    )
}

fn general_policy(settings: &Settings) -> &'static str {
    if settings.payment_provider == "stripe" { WITH_STRIPE } else { STRICT }
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
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (header::CROSS_ORIGIN_RESOURCE_POLICY, "same-origin"),
];

/// Everything is loaded from this shop, except pictures, which an admin may link from elsewhere.
const STRICT: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https: http:; \
    font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
    manifest-src 'self'";

/// The same, plus what Stripe.js needs (Stripe, "Content Security Policy").
const WITH_STRIPE: &str = "default-src 'none'; script-src 'self' https://js.stripe.com; style-src 'self'; \
    img-src 'self' data: https: http:; font-src 'self'; connect-src 'self' https://api.stripe.com; \
    frame-src https://js.stripe.com https://hooks.stripe.com; form-action 'self'; base-uri 'none'; \
    frame-ancestors 'none'; manifest-src 'self'";
