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

/// How long a request waits for its turn and, after that, for a connection, before it is told to come back.
const PATIENCE: Duration = Duration::from_secs(3);

/// What every connection of the pool promises the others: nothing runs or holds a lock without end.
const HABITS: &str = "SET application_name = 'driveline';
    SET statement_timeout = '5s';
    SET lock_timeout = '3s';
    SET idle_in_transaction_session_timeout = '10s';";

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
        let manager = Manager { url: url.to_owned(), breakdowns: Arc::clone(&breakdowns) };
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
    pub(crate) async fn run<T, F>(&self, deed: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&mut PgConnection) -> QueryResult<T> + Send + 'static,
    {
        let turns = Arc::clone(&self.shared.turns);
        let turn = tokio::time::timeout(PATIENCE, turns.acquire_owned()).await.map_err(away)?.map_err(away)?;
        let shared = Arc::clone(&self.shared);
        blocking(move || {
            let _turn = turn;
            let mut link = shared.check_out()?;
            let done = deed(&mut link.connection);
            if link.connection.is_broken() {
                shared.breakdowns.fetch_add(1, Ordering::Relaxed);
            }
            done.map_err(judge)
        })
        .await?
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
        }
        self.pool.get().map_err(away)
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
    /// How many breakdowns there had been when it last proved to work.
    trusted_since: u64,
}

impl ManageConnection for Manager {
    type Connection = Link;
    type Error = ConnectionError;

    fn connect(&self) -> Result<Link, ConnectionError> {
        let trusted_since = self.breakdowns.load(Ordering::Relaxed);
        let mut connection = PgConnection::establish(&self.url)?;
        connection.batch_execute(HABITS).map_err(ConnectionError::CouldntSetupConfiguration)?;
        Ok(Link { connection, trusted_since })
    }

    fn is_valid(&self, link: &mut Link) -> Result<(), ConnectionError> {
        link.connection.ping().map_err(ConnectionError::CouldntSetupConfiguration)
    }

    fn has_broken(&self, link: &mut Link) -> bool {
        std::thread::panicking() || link.connection.is_broken()
    }
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

/// Whether a failed query is worth another try in a moment.
pub(crate) fn judge(error: Error) -> StoreError {
    let passing = match &error {
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
            let broke = |error: &Error| {
                matches!(
                    error,
                    Error::BrokenTransactionManager | Error::DatabaseError(DatabaseErrorKind::ClosedConnection, _)
                )
            };
            broke(commit_error) || broke(rollback_error)
        }
        _ => false,
    };
    if passing { away(error) } else { broken(error) }
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
