//! The trace of the request that is being answered: its id is in log lines, in problems and in exported spans. With it goes how
//! long the request waits for the database, because both concern all of its work, on whichever task it is done.

use actix_web::http::StatusCode;
use ports::{Patience, TraceId};
use tracing::{Instrument, Span};

tokio::task_local! {
    static CURRENT: RequestTrace;
}

/// The trace of a request.
#[derive(Clone)]
pub(crate) struct RequestTrace {
    pub(crate) id: TraceId,
    /// What log lines say of the request.
    pub(crate) log: Span,
    /// What is exported of it.
    pub(crate) exported: Span,
    /// How long it waits for the database, in all.
    pub(crate) patience: Patience,
}

impl RequestTrace {
    /// Runs the request's work, or a part of it that is a task of its own.
    pub(crate) async fn run<T>(self, work: impl Future<Output = T>) -> T {
        let (log, exported) = (self.log.clone(), self.exported.clone());
        let patience = self.patience.clone();
        patience.limits(CURRENT.scope(self, work)).instrument(exported).instrument(log).await
    }

    /// Notes what became of the request.
    pub(crate) fn end(&self, status: StatusCode) {
        end(&self.exported, status);
    }
}

/// [`RequestTrace::end`] of an exported span alone.
pub(crate) fn end(exported: &Span, status: StatusCode) {
    exported.record("http.response.status_code", status.as_u16());
    if status.is_server_error() {
        exported.record("otel.status_code", "ERROR");
    }
}

/// The id of the trace that the caller's work belongs to.
pub(crate) fn current_id() -> Option<TraceId> {
    CURRENT.try_with(|trace| trace.id).ok()
}

/// Makes work that outlives the request, in a task of its own, a part of the request's trace.
pub(crate) fn in_this_trace<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    let trace = CURRENT.try_with(RequestTrace::clone).ok();
    async move {
        match trace {
            Some(trace) => trace.run(work).await,
            None => work.await,
        }
    }
}
