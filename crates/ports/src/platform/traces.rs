//! Traces: which work was done for which request, for somebody who looks at the shop from outside.
//!
//! A span is exported if its target is [`SPANS`]. Names and attributes are of a closed set: routes, operations, hosts
//! that are configured, statuses and durations. A path, a body, an address, or anything else that a client sent is never
//! among them.

use std::fmt;
use std::num::{NonZeroU64, NonZeroU128};

use tracing::field::Empty;
use tracing::{Instrument, Span};

/// The target of the spans that are exported. Without an exporter nothing enables them, and one costs a load of a flag.
pub const SPANS: &str = "spans";

/// Names all work for one request, or for one run of a background job: in log lines, in problems and in exported spans.
/// It is the trace id of W3C Trace Context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceId(pub NonZeroU128);

impl fmt::Display for TraceId {
    /// 32 lower-case hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// The span of a caller who is trusted to say which trace its request belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallersSpan {
    /// The caller's id of it.
    pub id: NonZeroU64,
    /// Whether the caller records the trace.
    pub is_recorded: bool,
}

/// The trace that some work belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trace {
    /// Its id.
    pub id: TraceId,
    /// The span that the work is a part of; `None` if the trace begins here.
    pub caller: Option<CallersSpan>,
}

/// Begins traces.
pub trait Traces: Send + Sync {
    /// A new, random id.
    fn fresh(&self) -> TraceId;

    /// Makes a span the first one of a trace in this process. It has to be new: never entered, and without children.
    /// Without an exporter nothing happens.
    fn begin(&self, span: &Span, trace: Trace);
}

/// Makes one request to a provider, in a span of its own, which notes the HTTP status of the answer if it has one. The
/// operation is of a closed set, and the host is one that is configured or that an admin entered: a path may hold a token or
/// an id.
///
/// # Errors
/// The call's own.
pub async fn provider_call<A, E>(
    provider: &'static str,
    operation: &str,
    host: &str,
    call: impl Future<Output = Result<A, E>>,
    status: impl FnOnce(&A) -> Option<u16>,
) -> Result<A, E> {
    let span = tracing::info_span!(
        target: SPANS,
        "provider call",
        otel.name = format!("{provider} {operation}"),
        otel.kind = "client",
        otel.status_code = Empty,
        peer.service = provider,
        server.address = host,
        http.response.status_code = Empty,
    );
    let answer = call.instrument(span.clone()).await;
    let status = answer.as_ref().map(status);
    if let Ok(Some(status)) = status {
        span.record("http.response.status_code", status);
    }
    if status.is_err() || matches!(status, Ok(Some(400..))) {
        span.record("otel.status_code", "ERROR");
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_id_is_written_with_all_its_digits() {
        let id = TraceId(NonZeroU128::new(0xab).unwrap());
        assert_eq!(id.to_string(), "000000000000000000000000000000ab");
    }
}
