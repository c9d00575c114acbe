//! The pool, and the one door between async code and blocking queries.

use std::error::Error as StdError;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use diesel::connection::SimpleConnection;
use diesel::r2d2::R2D2Connection;
use diesel::result::{DatabaseErrorKind, Error};
use diesel::{Connection, ConnectionError, PgConnection, QueryResult};
use ports::StoreError;
use r2d2::{ManageConnection, Pool, PooledConnection};
use tokio::sync::Semaphore;

use crate::idempotency::KeyReused;

/// How long a request waits for its turn and, after that, for a connection, before it is told to come back.
const PATIENCE: Duration = Duration::from_secs(3);

/// How long a request waits for a deed that has begun. The server bounds every statement itself, so only one that hangs
/// with its connections open, on a dead disk for example, takes longer.
const ANSWER_WITHIN: Duration = Duration::from_secs(15);

/// What every connection of the pool promises the others: nothing runs or holds a lock without end.
const HABITS: &str = "SET application_name = 'driveline';
    SET statement_timeout = '5s';
    SET lock_timeout = '3s';
    SET idle_in_transaction_session_timeout = '10s';";

/// What libpq promises: no handshake takes longer than five seconds, and a server that vanished without a word is noticed.
const BOUNDS: [(&str, &str); 3] = [("connect_timeout", "5"), ("tcp_user_timeout", "10000"), ("keepalives_idle", "30")];

/// The shop's database. It implements every store of [`ports`]; a clone shares the pool.
#[derive(Clone)]
pub struct Database {
    shared: Arc<Shared>,
}

struct Shared {
    pool: Pool<Manager>,
    turns: Arc<Semaphore>,
    breakdowns: Arc<AtomicU64>,
    url: String,
}

impl std::fmt::Debug for Database {
    /// The pool's state; never the URL, which holds a password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").field("pool", &self.shared.pool.state()).finish_non_exhaustive()
    }
}

impl Database {
    /// Opens a pool of at most `pool_size` connections (at least one) to the database at a `postgres://` URL, and waits up
    /// to `patience` for the first of them. The rest follow in the background.
    ///
    /// # Errors
    /// [`StoreError::Away`], with the server's own words as the source, if none is there by then.
    pub async fn connect(url: &str, pool_size: u32, patience: Duration) -> Result<Self, StoreError> {
        let pool_size = pool_size.max(1);
        let breakdowns = Arc::new(AtomicU64::new(0));
        let manager = Manager { url: bounded(url), breakdowns: Arc::clone(&breakdowns) };
        let pool = Pool::builder()
            .max_size(pool_size)
            // A round trip saved on every checkout; a breakdown makes the older connections prove themselves instead.
            .test_on_check_out(false)
            .connection_timeout(PATIENCE)
            .error_handler(Box::new(Report))
            .build_unchecked(manager);
        let first = pool.clone();
        blocking(move || first.get_timeout(patience).map(drop)).await?.map_err(away)?;
        let turns = Arc::new(Semaphore::new(usize::try_from(pool_size).map_err(broken)?));
        Ok(Self { shared: Arc::new(Shared { pool, turns, breakdowns, url: url.to_owned() }) })
    }

    /// Asks the database for a sign of life, over a connection of the pool.
    ///
    /// # Errors
    /// [`StoreError::Away`] if there is none.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.run(R2D2Connection::ping).await
    }

    /// How many connections the pool holds, and how many of them are idle.
    #[must_use]
    pub fn connections(&self) -> (u32, u32) {
        let state = self.shared.pool.state();
        (state.connections, state.idle_connections)
    }

    /// The URL that it was opened with; it holds a password.
    pub(crate) fn url(&self) -> &str {
        &self.shared.url
    }

    /// Runs a deed on a connection of the pool, off the async threads.
    ///
    /// The deed runs to its end even if whoever waits for it gives up: a turn is handed back only when its connection is.
    /// Whoever waits for a server that hangs is told after [`ANSWER_WITHIN`] that it is away; the deed may still happen.
    pub(crate) async fn run<T, F>(&self, deed: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&mut PgConnection) -> QueryResult<T> + Send + 'static,
    {
        let turns = Arc::clone(&self.shared.turns);
        let turn = tokio::time::timeout(PATIENCE, turns.acquire_owned()).await.map_err(away)?.map_err(away)?;
        let shared = Arc::clone(&self.shared);
        let doing = blocking(move || {
            let _turn = turn;
            let mut link = shared.check_out()?;
            let done = deed(&mut link.connection);
            if let Err(error) = &done {
                shared.suspect(&mut link, error);
            }
            done.map_err(judge)
        });
        tokio::time::timeout(ANSWER_WITHIN, doing).await.map_err(away)??
    }
}

impl Shared {
    /// A connection that is trusted, or has just answered: after a breakdown, such as a restart of the server, one caller
    /// learns of it by failing, and the other connections from before are tried before they are used.
    fn check_out(&self) -> Result<PooledConnection<Manager>, StoreError> {
        for _ in 0..self.pool.max_size() {
            let mut link = self.pool.get().map_err(away)?;
            let breakdowns = self.breakdowns.load(Ordering::Relaxed);
            if link.trusted_since == breakdowns || link.connection.ping().is_ok() {
                link.trusted_since = breakdowns;
                return Ok(link);
            }
            link.broken = true;
        }
        self.pool.get().map_err(away)
    }

    /// Draws the consequences of a failure. Diesel alone would not: it goes on handing out a connection that was cut
    /// while no transaction was open.
    fn suspect(&self, link: &mut Link, error: &Error) {
        let cut = matches!(
            error,
            Error::DatabaseError(DatabaseErrorKind::ClosedConnection | DatabaseErrorKind::UnableToSendCommand, _)
        );
        if cut || link.connection.is_broken() {
            link.broken = true;
            self.breakdowns.fetch_add(1, Ordering::Relaxed);
        } else if is_passing(error) {
            link.trusted_since = NEVER;
        }
    }
}

/// Opens and judges the pool's connections.
struct Manager {
    url: String,
    breakdowns: Arc<AtomicU64>,
}

/// One connection of the pool.
struct Link {
    connection: PgConnection,
    /// How many breakdowns there had been when it last proved to work, or [`NEVER`].
    trusted_since: u64,
    /// It is not to be used again.
    broken: bool,
}

/// Of a connection that has to prove itself before it is used again.
const NEVER: u64 = u64::MAX;

impl ManageConnection for Manager {
    type Connection = Link;
    type Error = ConnectionError;

    fn connect(&self) -> Result<Link, ConnectionError> {
        let trusted_since = self.breakdowns.load(Ordering::Relaxed);
        let mut connection = PgConnection::establish(&self.url)?;
        connection.batch_execute(HABITS).map_err(ConnectionError::CouldntSetupConfiguration)?;
        Ok(Link { connection, trusted_since, broken: false })
    }

    fn is_valid(&self, link: &mut Link) -> Result<(), ConnectionError> {
        link.connection.ping().map_err(ConnectionError::CouldntSetupConfiguration)
    }

    fn has_broken(&self, link: &mut Link) -> bool {
        link.broken || std::thread::panicking() || link.connection.is_broken()
    }
}

/// A URL, or a string of `name=value` pairs, with [`BOUNDS`] where it says nothing else.
fn bounded(url: &str) -> String {
    let mut bounded = url.to_owned();
    for (name, value) in BOUNDS {
        let parameters = url.split_once('?').map_or("", |(_, parameters)| parameters);
        let (told, separator) = match (url.contains("://"), bounded.contains('?')) {
            (true, true) => (parameters, '&'),
            (true, false) => (parameters, '?'),
            (false, _) => (url, ' '),
        };
        if !told.contains(&format!("{name}=")) {
            bounded.push(separator);
            bounded.push_str(name);
            bounded.push('=');
            bounded.push_str(value);
        }
    }
    bounded
}

#[derive(Debug)]
struct Report;

impl r2d2::HandleError<ConnectionError> for Report {
    fn handle_error(&self, error: ConnectionError) {
        tracing::warn!(%error, "no connection to the database");
    }
}

/// Runs what blocks on the threads that are meant for it.
#[expect(clippy::disallowed_methods, reason = "this is the one place that blocking work goes through")]
pub(crate) async fn blocking<T, F>(work: F) -> Result<T, StoreError>
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    tokio::task::spawn_blocking(work).await.map_err(broken)
}

pub(crate) fn away(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> StoreError {
    StoreError::Away(cause.into())
}

pub(crate) fn broken(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> StoreError {
    StoreError::Broken(cause.into())
}

/// A failed query, by whether it is worth another try in a moment.
pub(crate) fn judge(error: Error) -> StoreError {
    match &error {
        Error::QueryBuilderError(cause) if cause.is::<KeyReused>() => StoreError::KeyReused,
        _ if is_passing(&error) => away(error),
        _ => broken(error),
    }
}

fn is_passing(error: &Error) -> bool {
    match error {
        Error::DatabaseError(
            DatabaseErrorKind::ClosedConnection
            | DatabaseErrorKind::SerializationFailure
            | DatabaseErrorKind::UnableToSendCommand
            | DatabaseErrorKind::ReadOnlyTransaction,
            _,
        )
        | Error::BrokenTransactionManager => true,
        Error::DatabaseError(DatabaseErrorKind::Unknown, info) => tells_of_passing_trouble(info.message()),
        Error::RollbackErrorOnCommit { commit_error, rollback_error } => {
            is_passing(commit_error) || is_passing(rollback_error)
        }
        _ => false,
    }
}

/// Diesel hands on no SQLSTATE for these, only the server's words. A server that speaks another language than English
/// has them taken for defects, which is told to the person as a 500 instead of a 503 and changes nothing else.
fn tells_of_passing_trouble(message: &str) -> bool {
    [
        "canceling statement due to",
        "terminating connection due to",
        "deadlock detected",
        "the database system is",
        "server closed the connection",
        "remaining connection slots",
        "too many clients",
        "too many connections",
        "could not connect",
        "no connection to the server",
        "SSL connection has been closed",
        "SSL SYSCALL error",
        "could not receive data from server",
        "could not send data to server",
        "connection to server was lost",
        "out of shared memory",
        "No space left on device",
    ]
    .iter()
    .any(|words| message.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_address_says_of_its_bounds_stands_and_the_rest_is_added() {
        for (told, expected) in [
            ("postgres://u:p@h/d", "postgres://u:p@h/d?connect_timeout=5&tcp_user_timeout=10000&keepalives_idle=30"),
            (
                "postgres://h/d?sslmode=require&connect_timeout=9",
                "postgres://h/d?sslmode=require&connect_timeout=9&tcp_user_timeout=10000&keepalives_idle=30",
            ),
            ("host=h tcp_user_timeout=1", "host=h tcp_user_timeout=1 connect_timeout=5 keepalives_idle=30"),
        ] {
            assert_eq!(bounded(told), expected);
        }
    }

    #[test]
    fn passing_trouble_is_told_apart_from_defects() {
        let failed = |kind, message: &str| judge(Error::DatabaseError(kind, Box::new(message.to_owned())));
        for (kind, message) in [
            (DatabaseErrorKind::ClosedConnection, "gone"),
            (DatabaseErrorKind::SerializationFailure, "could not serialize access"),
            (DatabaseErrorKind::Unknown, "canceling statement due to lock timeout"),
            (DatabaseErrorKind::Unknown, "terminating connection due to administrator command"),
            (DatabaseErrorKind::Unknown, "deadlock detected"),
        ] {
            assert!(matches!(failed(kind, message), StoreError::Away(_)), "{message}");
        }
        for (kind, message) in [
            (DatabaseErrorKind::CheckViolation, "products_available_check"),
            (DatabaseErrorKind::UniqueViolation, "orders_pkey"),
            (DatabaseErrorKind::Unknown, "syntax error at or near"),
        ] {
            assert!(matches!(failed(kind, message), StoreError::Broken(_)), "{message}");
        }
    }
}
