//! The statements of a call of the database, as spans within the call's time there.
//!
//! Diesel tells a connection's observer when a statement begins and ends, and the thread that runs it knows for which calls: one, or
//! all that share a transaction. A statement is named by its file, or by its verb and its table; its text and its values are never
//! exported.

use std::cell::RefCell;
use std::fmt::{self, Write as _};

use diesel::PgConnection;
use diesel::connection::{Connection as _, DebugQuery, InstrumentationEvent};
use diesel::result::Error;
use ports::SPANS;
use tracing::field::Empty;
use tracing::{Level, Span};

thread_local! {
    static OBSERVED: RefCell<Observed> = RefCell::default();
}

/// What this thread does in the database.
#[derive(Default)]
struct Observed {
    /// The time in the database of each call that the thread works for.
    calls: Vec<Span>,
    /// The statement that runs, once for each of them.
    running: Vec<Span>,
}

/// Makes the statements of a connection seen, if anybody wants to see them: otherwise they cost nothing.
pub(super) fn observe(connection: &mut PgConnection) {
    if tracing::enabled!(target: SPANS, Level::INFO) {
        connection.set_instrumentation(note);
    }
}

#[expect(clippy::needless_pass_by_value, reason = "Diesel hands it over")]
fn note(event: InstrumentationEvent<'_>) {
    match event {
        InstrumentationEvent::StartQuery { query, .. } => begin(query),
        InstrumentationEvent::FinishQuery { error, .. } => end(error),
        _ => {}
    }
}

/// Statements of this thread belong to a call from now on, until [`leave`].
pub(super) fn enter(call: &Span) {
    OBSERVED.with_borrow_mut(|observed| observed.calls.push(call.clone()));
}

/// No further statement of this thread belongs to the call.
pub(super) fn leave(call: &Span) {
    OBSERVED.with_borrow_mut(|observed| {
        observed.calls.retain(|one| one != call);
        if observed.calls.is_empty() {
            observed.running.clear();
        }
    });
}

fn begin(query: &dyn DebugQuery) {
    OBSERVED.with_borrow_mut(|observed| {
        if observed.calls.is_empty() {
            return;
        }
        let name = name_of(query);
        let span_of = |call| {
            tracing::info_span!(
                target: SPANS,
                parent: call,
                "statement",
                otel.name = name,
                otel.kind = "client",
                db.system.name = "postgresql",
                otel.status_code = Empty,
            )
        };
        observed.running = observed.calls.iter().map(span_of).collect();
    });
}

fn end(error: Option<&Error>) {
    OBSERVED.with_borrow_mut(|observed| {
        for statement in observed.running.drain(..) {
            if error.is_some() {
                statement.record("otel.status_code", "ERROR");
            }
        }
    });
}

/// The name of a statement, of what Diesel writes first of it, which is its SQL. The values come after it; they are refused, so that
/// nobody formats them.
#[derive(Default)]
struct Name(Option<String>);

impl fmt::Write for Name {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        if self.0.is_some() {
            return Err(fmt::Error);
        }
        self.0 = Some(summary(piece));
        Ok(())
    }
}

fn name_of(query: &dyn DebugQuery) -> String {
    let mut name = Name::default();
    // The error is the refusal of the values.
    let _ = write!(name, "{query}");
    name.0.unwrap_or_default()
}

/// `place_order.sql` of a statement in a file, `SELECT products` or `COMMIT` of another.
fn summary(sql: &str) -> String {
    if let Some((path, _)) = sql.strip_prefix("/* ").and_then(|rest| rest.split_once(" */")) {
        return path.rsplit('/').next().unwrap_or(path).to_owned();
    }
    let mut words = sql.split_whitespace();
    let verb = words.next().filter(|verb| verb.bytes().all(|byte| byte.is_ascii_alphabetic())).unwrap_or("STATEMENT");
    let verb = verb.to_ascii_uppercase();
    let mut after = |keyword| words.by_ref().find(|word| word.eq_ignore_ascii_case(keyword)).and_then(|_| words.next());
    let table = match verb.as_str() {
        "SELECT" | "DELETE" => after("FROM"),
        "INSERT" => after("INTO"),
        "UPDATE" => words.next(),
        _ => None,
    };
    match table.map(|table| table.trim_end_matches([';', ',', ')']).replace('"', "")) {
        Some(table) if is_name(&table) => format!("{verb} {table}"),
        _ => verb,
    }
}

fn is_name(word: &str) -> bool {
    !word.is_empty()
        && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_.".contains(&byte))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::{Arc, Mutex};

    use diesel::pg::Pg;
    use diesel::sql_types::Text;
    use tracing::field::{Field, Visit};
    use tracing::span::{Attributes, Id, Record};
    use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
    use tracing_subscriber::registry::LookupSpan;

    use super::*;
    use crate::platform::sql_file::sql_file;

    #[test]
    fn a_statement_is_named_by_its_file_or_by_its_verb_and_table() {
        for (sql, name) in [
            ("/* place_order.sql */ WITH a AS (SELECT 1)", "place_order.sql"),
            ("/* ../platform/look_up_key.sql */ SELECT 1", "look_up_key.sql"),
            (r#"SELECT "products"."id" FROM "products" WHERE ("products"."id" = $1)"#, "SELECT products"),
            (r#"INSERT INTO "sessions" ("id") VALUES ($1)"#, "INSERT sessions"),
            (r#"UPDATE "accounts" SET "role" = $1"#, "UPDATE accounts"),
            (r#"DELETE  FROM "public"."sessions" WHERE $1"#, "DELETE public.sessions"),
            ("select count(*) from orders;", "SELECT orders"),
            ("SELECT 1 FROM (SELECT 2 FROM orders) a", "SELECT"),
            ("SELECT pg_is_in_recovery()", "SELECT"),
            ("SELECT a FROM now()", "SELECT"),
            ("SELECT 'x' FROM 'somebody@example.com'", "SELECT"),
            ("SAVEPOINT diesel_savepoint_1", "SAVEPOINT"),
            ("COMMIT", "COMMIT"),
            ("'somebody@example.com'", "STATEMENT"),
            ("", "STATEMENT"),
        ] {
            assert_eq!(summary(sql), name, "{sql}");
        }
    }

    #[test]
    fn the_values_of_a_statement_are_not_looked_at() {
        struct Secret;

        impl fmt::Debug for Secret {
            fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
                unreachable!("a value was formatted")
            }
        }

        impl diesel::serialize::ToSql<Text, Pg> for Secret {
            fn to_sql<'b>(&'b self, _: &mut diesel::serialize::Output<'b, '_, Pg>) -> diesel::serialize::Result {
                unreachable!("a value was sent")
            }
        }

        let statement = sql_file!("attribute.sql", { attribution: Text = Secret });
        assert_eq!(name_of(&diesel::debug_query::<Pg, _>(&statement)), "attribute.sql");
    }

    /// The statements that were seen, by their number: what they belong to, their name and their status.
    #[derive(Clone, Default)]
    struct Seen(Arc<Mutex<HashMap<u64, Statement>>>);

    #[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
    struct Statement {
        call: String,
        name: String,
        status: String,
    }

    impl Visit for Statement {
        fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
            self.record_str(field, &format!("{value:?}"));
        }

        fn record_str(&mut self, field: &Field, value: &str) {
            match field.name() {
                "otel.name" => value.clone_into(&mut self.name),
                "otel.status_code" => value.clone_into(&mut self.status),
                _ => {}
            }
        }
    }

    impl<S: tracing::Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Seen {
        fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
            if attributes.metadata().name() != "statement" {
                return;
            }
            let parent =
                attributes.parent().and_then(|parent| context.span(parent)).expect("a statement belongs to a call");
            let mut statement = Statement { call: parent.name().to_owned(), ..Statement::default() };
            attributes.record(&mut statement);
            self.0.lock().unwrap().insert(id.into_u64(), statement);
        }

        fn on_record(&self, id: &Id, values: &Record<'_>, _: Context<'_, S>) {
            values.record(self.0.lock().unwrap().get_mut(&id.into_u64()).expect("a statement"));
        }
    }

    /// What is seen of statements that this thread runs, each with the error it ends with.
    fn seen(run: impl FnOnce()) -> Vec<(String, String, String)> {
        let seen = Seen::default();
        tracing::subscriber::with_default(tracing_subscriber::registry().with(seen.clone()), run);
        let mut all: Vec<Statement> = seen.0.lock().unwrap().values().cloned().collect();
        all.sort();
        all.into_iter().map(|one| (one.call, one.name, one.status)).collect()
    }

    fn run(sql: &str, error: Option<&Error>) {
        begin(&diesel::debug_query::<Pg, _>(&diesel::sql_query(sql)));
        end(error);
    }

    #[test]
    fn a_statement_of_several_calls_is_seen_in_each_and_one_of_none_nowhere() {
        let all = seen(|| {
            let (one, other) = (tracing::info_span!(target: SPANS, "one"), tracing::info_span!(target: SPANS, "other"));
            run("SELECT 1 FROM before", None);
            enter(&one);
            enter(&other);
            run("SELECT 1 FROM both", None);
            leave(&one);
            run("SELECT 1 FROM rest", None);
            leave(&other);
            run("SELECT 1 FROM after", None);
        });
        let expected = [("one", "SELECT both"), ("other", "SELECT both"), ("other", "SELECT rest")];
        assert_eq!(all, expected.map(|(call, name)| (call.to_owned(), name.to_owned(), String::new())));
    }

    #[test]
    fn a_statement_that_fails_is_marked_in_each_call_and_the_next_one_is_not() {
        let all = seen(|| {
            let (one, other) = (tracing::info_span!(target: SPANS, "one"), tracing::info_span!(target: SPANS, "other"));
            enter(&one);
            enter(&other);
            run("INSERT INTO orders VALUES (1)", Some(&Error::NotFound));
            run("ROLLBACK", None);
            leave(&other);
            leave(&one);
        });
        let of = |call: &str| {
            [("INSERT orders", "ERROR"), ("ROLLBACK", "")]
                .map(|(name, status)| (call.to_owned(), name.to_owned(), status.to_owned()))
        };
        assert_eq!(all, [of("one"), of("other")].concat());
    }
}
