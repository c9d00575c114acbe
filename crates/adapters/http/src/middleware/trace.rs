//! Where the trace of a request begins, and the spans of the request and of its use case.

use std::net::IpAddr;
use std::num::{NonZeroU64, NonZeroU128};
use std::time::Duration;

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderMap, HeaderName};
use actix_web::middleware::Next;
use ipnet::IpNet;
use ports::{CallersSpan, Patience, SPANS, Trace, TraceId};
use tracing::field::Empty;
use tracing::{Instrument, Span};

use crate::app_state::AppState;
use crate::request_trace::RequestTrace;
use crate::route::RouteSpec;

/// How long a request waits for the database, however many calls it makes: whoever asks has an answer within three seconds, and
/// half a second of them is for everything else.
const DATABASE_PATIENCE: Duration = Duration::from_millis(2_500);

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// Begins the trace of a request, or continues the one that a trusted proxy names.
pub(crate) fn begin(
    request: &ServiceRequest,
    app: &AppState,
    request_id: &str,
    method: &'static str,
    route: Option<&str>,
) -> RequestTrace {
    let trace = trace_of(request, app);
    let log = tracing::info_span!("request", id = request_id, method, trace_id = %trace.id);
    let exported = exported(method, route, app);
    app.traces.begin(&exported, trace);
    RequestTrace { id: trace.id, log, exported, patience: Patience::new(DATABASE_PATIENCE) }
}

/// The trace that a request belongs to.
pub(crate) fn trace_of(request: &ServiceRequest, app: &AppState) -> Trace {
    let peer = request.peer_addr().map(|peer| peer.ip());
    let continued = peer.and_then(|peer| sent_by_proxy(peer, request.headers(), &app.settings.trusted_proxies));
    continued.unwrap_or_else(|| Trace { id: app.traces.fresh(), caller: None })
}

/// The exported span of a request. Without a route it is for a page or a static file.
pub(crate) fn exported(method: &'static str, route: Option<&str>, app: &AppState) -> Span {
    tracing::info_span!(
        target: SPANS,
        "request",
        otel.name = format!("{method} {}", route.unwrap_or("static")),
        otel.kind = "server",
        otel.status_code = Empty,
        http.request.method = if method == "other" { "_OTHER" } else { method },
        http.route = route,
        http.response.status_code = Empty,
        url.scheme = if app.settings.is_https() { "https" } else { "http" },
    )
}

/// Runs a route's handler, whose one use case has the name of the operation.
pub(crate) async fn use_case<B: MessageBody + 'static>(
    route: &RouteSpec,
    request: ServiceRequest,
    next: &Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let name = route.operation.operation_id.as_deref().unwrap_or_default();
    let span = tracing::info_span!(target: SPANS, "use case", otel.name = name, subject = route.subject);
    next.call(request).instrument(span).await
}

/// The trace that the peer names, if it is a proxy that is trusted to say so.
fn sent_by_proxy(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> Option<Trace> {
    let peer = peer.to_canonical();
    if !trusted.iter().any(|network| network.contains(&peer)) {
        return None;
    }
    let mut sent = headers.get_all(TRACEPARENT);
    let only = sent.next().filter(|_| sent.next().is_none())?;
    parsed(only.to_str().ok()?)
}

/// Reads a `traceparent` header (W3C Trace Context, section 3.2).
pub(crate) fn parsed(header: &str) -> Option<Trace> {
    let is_hex = |text: &str, digits: usize| {
        text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    };
    let mut parts = header.trim().split('-');
    let (version, trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    // A later version may have more parts; version 0 has these, and ff is none.
    let is_version = is_hex(version, 2) && version != "ff" && (version != "00" || parts.next().is_none());
    if !is_version || !is_hex(trace, 32) || !is_hex(span, 16) || !is_hex(flags, 2) {
        return None;
    }
    let id = NonZeroU128::new(u128::from_str_radix(trace, 16).ok()?)?;
    let span = NonZeroU64::new(u64::from_str_radix(span, 16).ok()?)?;
    let is_recorded = u8::from_str_radix(flags, 16).ok()? & 1 == 1;
    Some(Trace { id: TraceId(id), caller: Some(CallersSpan { id: span, is_recorded }) })
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    const SENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    fn from(peer: &str, lines: &[&'static str]) -> Option<Trace> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(TRACEPARENT, HeaderValue::from_static(line));
        }
        sent_by_proxy(peer.parse().unwrap(), &headers, &["10.0.0.0/8".parse().unwrap()])
    }

    #[test]
    fn a_trace_is_continued_from_a_trusted_proxy_only() {
        let trace = from("10.1.2.3", &[SENT]).unwrap();
        assert_eq!(trace.id.to_string(), "4bf92f3577b34da6a3ce929d0e0e4736");
        assert_eq!(
            trace.caller.map(|caller| (caller.id.get(), caller.is_recorded)),
            Some((0x00f0_67aa_0ba9_02b7, true))
        );
        assert!(from("::ffff:10.1.2.3", &[SENT]).is_some());
        assert_eq!(from("192.0.2.1", &[SENT]), None);
    }

    #[test]
    fn what_is_no_traceparent_begins_a_new_trace() {
        assert_eq!(from("10.1.2.3", &[]), None);
        assert_eq!(from("10.1.2.3", &[SENT, SENT]), None, "two are none");
        for wrong in [
            "",
            "00",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
            "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        ] {
            assert_eq!(from("10.1.2.3", &[wrong]), None, "{wrong}");
        }
        assert!(parsed("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more").is_some());
    }
}
