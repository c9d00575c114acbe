//! What is seen from outside of a call of the database: how long it waited for a connection, how long it took there, and which
//! statements ([`statements`]) it did.

use std::any::type_name;

use ports::SPANS;
use tokio::time::Instant;
use tracing::{Level, Span};

use super::lanes::{Lane, REFUSED};
use super::statements;

/// How long calls waited for a connection, by lane.
const WAITED: &str = "database_wait_seconds";

/// The span of a call: named by the method of the repository in which its closure stands. None for one that is no part of
/// a request or a job, such as a check of the database's health: it would be a trace of its own.
pub(super) fn call(name: &'static str) -> Span {
    if !tracing::enabled!(target: SPANS, Level::INFO) || Span::current().is_none() {
        return Span::none();
    }
    tracing::info_span!(target: SPANS, "database call", otel.name = method_of(name))
}

/// A call's time in the database, within its span; the statements of this thread belong to it until it is dropped, on the same thread.
pub(super) struct InDatabase(Span);

impl InDatabase {
    /// A call begins to be done.
    pub(super) fn begin(call: &Span) -> Self {
        Self::within(call, || tracing::info_span!(target: SPANS, parent: call, "database"))
    }

    /// A call begins to be done at the replica, whether or not that has caught up.
    pub(super) fn begin_at_replica(call: &Span) -> Self {
        Self::within(call, || tracing::info_span!(target: SPANS, parent: call, "replica"))
    }

    fn within(call: &Span, span: impl FnOnce() -> Span) -> Self {
        if call.is_none() {
            return Self(Span::none());
        }
        let span = span();
        // A span that a filter leaves out could never be left again.
        if !span.is_none() {
            statements::enter(&span);
        }
        Self(span)
    }
}

impl Drop for InDatabase {
    fn drop(&mut self) {
        if !self.0.is_none() {
            statements::leave(&self.0);
        }
    }
}

/// The compiler's name of a closure; it begins with the path of the function that the closure stands in.
pub(super) fn name_of<F>() -> &'static str {
    type_name::<F>()
}

/// `OrderRepository::find`, of `persistence::orders::repository::<impl ports::orders::repository::OrderRepository for
/// persistence::platform::db::Database>::find::{{closure}}::{{closure}}`.
fn method_of(closure: &str) -> String {
    let path = without_types(closure.trim_end_matches("::{{closure}}"));
    let (owner, method) = path.rsplit_once("::").unwrap_or(("", path));
    let owner = owner.rsplit_once("<impl ").map_or(owner, |(_, implemented)| implemented);
    let owner = owner.split(" for ").next().unwrap_or(owner).trim_end_matches('>');
    let owner = owner.rsplit_once(" as ").map_or(owner, |(_, implemented)| implemented);
    let owner = owner.split('<').next().unwrap_or(owner);
    match owner.rsplit_once("::").map_or(owner, |(_, last)| last) {
        "" => method.to_owned(),
        owner => format!("{owner}::{method}"),
    }
}

/// A path without the types that a generic function at its end is for.
fn without_types(path: &str) -> &str {
    if !path.ends_with('>') {
        return path;
    }
    let mut depth = 0_i32;
    let start = path.rfind(|c| {
        depth += i32::from(c == '>') - i32::from(c == '<');
        depth == 0
    });
    start.map_or(path, |start| &path[..start])
}

/// A wait for a connection: it ends when this is dropped, with a connection or without one.
pub(super) struct Waiting {
    lane: Lane,
    begun: Instant,
    _span: Option<Span>,
}

impl Waiting {
    /// Begins to wait, within a call's span.
    pub(super) fn begin(lane: Lane, call: &Span) -> Self {
        let span = (!call.is_none())
            .then(|| tracing::info_span!(target: SPANS, parent: call, "wait for a connection", lane = lane.name()));
        Self { lane, begun: Instant::now(), _span: span }
    }

    /// Begins to wait on behalf of several calls; each has a span of its own for it, see [`SharedCall`].
    pub(super) fn of_several(lane: Lane) -> Self {
        Self { lane, begun: Instant::now(), _span: None }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        metrics::histogram!(WAITED, "lane" => self.lane.name()).record(self.begun.elapsed().as_secs_f64());
    }
}

/// Describes the metrics of this folder, and begins its counter at zero.
pub(super) fn describe() {
    metrics::describe_histogram!(WAITED, "How long calls of the database waited for a connection, by lane.");
    metrics::describe_counter!(
        REFUSED,
        "Calls of the database that got no connection, because a queue was full or the wait too long, by lane."
    );
    for lane in [Lane::Writes, Lane::Reads, Lane::Lists, Lane::Counts, Lane::Health] {
        metrics::counter!(REFUSED, "lane" => lane.name()).increment(0);
    }
}

/// The spans of a call that shares a transaction with others.
pub(crate) struct SharedCall {
    call: Span,
    phase: Phase,
}

/// What a call that shares a transaction is at. What it holds ends with it.
#[expect(dead_code, reason = "spans end when they are dropped")]
enum Phase {
    Waits(Span),
    InDatabase(InDatabase),
}

impl SharedCall {
    /// A call that waits for its transaction.
    pub(super) fn waiting(call: Span) -> Self {
        let phase = Phase::Waits(wait_for_a_transaction(&call));
        Self { call, phase }
    }

    /// Its transaction begins, on this thread.
    pub(super) fn begin(&mut self) {
        self.phase = Phase::InDatabase(InDatabase::begin(&self.call));
    }

    /// It has to wait for another transaction.
    pub(super) fn wait(&mut self) {
        self.phase = Phase::Waits(wait_for_a_transaction(&self.call));
    }
}

fn wait_for_a_transaction(call: &Span) -> Span {
    if call.is_none() {
        return Span::none();
    }
    tracing::info_span!(target: SPANS, parent: call, "wait for a transaction")
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Store;

    trait Repository {
        fn find(&self) -> &'static str;
    }

    impl Repository for Store {
        fn find(&self) -> &'static str {
            fn name<F: Fn()>(_: F) -> &'static str {
                name_of::<F>()
            }
            let outer = || name(|| ());
            outer()
        }
    }

    #[test]
    fn a_call_is_named_by_the_method_that_makes_it() {
        assert_eq!(method_of(Store.find()), "Repository::find");
    }

    #[test]
    fn every_form_of_a_compilers_name_is_read() {
        for (closure, name) in [
            (
                "persistence::orders::<impl ports::orders::Orders for persistence::Database>::find::{{closure}}::{{closure}}",
                "Orders::find",
            ),
            ("<persistence::Database as ports::orders::Orders>::find::{{closure}}", "Orders::find"),
            ("persistence::db::<impl persistence::Database>::listen::{{closure}}", "Database::listen"),
            ("persistence::orders::place::run::{{closure}}", "place::run"),
            ("persistence::page::counted<a::b::{{closure}}, c::D>::{{closure}}", "page::counted"),
            ("fn(&mut diesel::PgConnection) -> bool", "fn(&mut diesel::PgConnection) -> bool"),
        ] {
            assert_eq!(method_of(closure), name, "{closure}");
        }
    }
}
