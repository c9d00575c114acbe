//! The connection pools, and the only bridge between async code and blocking queries.

pub(crate) mod address;
mod attended;
mod attribution;
mod batches;
pub(crate) mod errors;
mod lanes;
pub(crate) mod pool;
mod replica;
mod session;
mod spans;
mod statements;

use std::sync::Arc;
use std::time::Duration;

use diesel::{PgConnection, QueryResult};
use ports::{COUNT_WITHIN, StoreError};
use tokio::task::JoinHandle;
use uuid::Uuid;

use self::attended::{Abandoned, Attended, Deadlines};
pub(crate) use self::attribution::attributing;
use self::attribution::{attributed, current};
use self::batches::Batches;
pub(crate) use self::batches::{Batched, Call, answer_all};
pub(crate) use self::errors::{classify_error, internal, is_retryable, unavailable};
pub(crate) use self::lanes::Lane;
use self::lanes::{CHECKOUT_TIMEOUT, Lanes, QUEUE_TIMEOUT, RowQueues};
pub use self::pool::Pooler;
pub(crate) use self::pool::establish;
use self::pool::{Pool, Role};
use self::replica::Replica;
pub use self::replica::ReplicaHealth;
pub(crate) use self::session::ROLE_SETTINGS;
use self::spans::{InDatabase, Waiting, name_of};
use crate::platform::changes::Changes;
use crate::platform::decode;

/// How long an operation that has begun is waited for; a request has less patience ([`ports::Patience`]). The server limits
/// every statement (5 s), so this limit comes first only for an operation of several statements, for a server that hangs,
/// and for a commit that waits for a standby: no server timeout ends that wait, and it must not be cancelled, because a
/// cancelled wait acknowledges a commit that no standby has. After it the connection is given up ([`attended`]).
const ANSWER_WITHIN: Duration = Duration::from_secs(6);

/// The same for an operation of many statements, such as an import.
const LONG_ANSWER_WITHIN: Duration = Duration::from_secs(15);

/// The same for an operation that no request waits for.
const LEISURELY_ANSWER_WITHIN: Duration = Duration::from_mins(5);

/// Where the database is, and how to connect. Each URL is a `postgres://` URL or `name=value` pairs, as libpq reads
/// them.
#[derive(Clone)]
pub struct ConnectionSettings {
    /// The server that accepts writes; may name several hosts.
    pub url: String,
    /// The same server without a pooler in between: for migrations. `None`: as `url`.
    pub direct_url: Option<String>,
    /// A replica, for lists; it is skipped while it lags or is unavailable.
    pub read_url: Option<String>,
    /// The pooler in between.
    pub pooler: Pooler,
    /// Pool size; raised to one if it is zero.
    pub pool_size: u32,
    /// How many batches of orders may be on their way at the same time, each of other products; raised to one if it is
    /// zero. One batch keeps one of the server's processors busy.
    pub order_queues: usize,
}

impl ConnectionSettings {
    /// A server that is reached without a pooler or a replica.
    #[must_use]
    pub fn directly(url: &str, pool_size: u32) -> Self {
        Self { url: url.to_owned(), direct_url: None, read_url: None, pooler: Pooler::None, pool_size, order_queues: 1 }
    }
}

/// The shop's database. It implements every repository of [`ports`]; a clone shares the pool.
#[derive(Clone)]
pub struct Database {
    shared: Arc<Shared>,
}

struct Shared {
    writer: Pool,
    replica: Option<Replica>,
    lanes: Lanes,
    row_queues: Arc<RowQueues>,
    batches: Batches,
    abandoned: Abandoned,
    connection_settings: ConnectionSettings,
    changes: Arc<Changes>,
}

impl std::fmt::Debug for Database {
    /// The pool's state; never the URL, which holds a password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").field("pool", &self.shared.writer.state()).finish_non_exhaustive()
    }
}

impl Database {
    /// Opens a pool that fills in the background, for as long as it takes: the database may be unavailable.
    ///
    /// # Errors
    /// Practically none: only if `usize` cannot hold the pool size.
    pub fn open(connection_settings: ConnectionSettings) -> Result<Self, StoreError> {
        let size = connection_settings.pool_size.max(1);
        let writer =
            Pool::open(address::of_writer(&connection_settings.url), size, connection_settings.pooler, Role::Writer);
        let replica = connection_settings
            .read_url
            .as_deref()
            .map(|url| Replica::open(url, size.div_ceil(2), connection_settings.pooler));
        let lanes = Lanes::of(usize::try_from(size).map_err(internal)?);
        spans::describe();
        decode::describe();
        Ok(Self {
            shared: Arc::new(Shared {
                writer,
                replica,
                lanes,
                row_queues: Arc::default(),
                batches: Batches::default(),
                abandoned: Abandoned::up_to(size),
                connection_settings,
                changes: Arc::default(),
            }),
        })
    }

    /// Opens a pool of at most `pool_size` connections (at least one) to the database at a `postgres://` URL, and waits
    /// up to `timeout` for the first of them. The rest are opened in the background.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], with the server's own message as the source, if there is no connection by then.
    pub async fn connect(url: &str, pool_size: u32, timeout: Duration) -> Result<Self, StoreError> {
        let database = Self::open(ConnectionSettings::directly(url, pool_size))?;
        database.wait(timeout).await?;
        Ok(database)
    }

    /// Waits up to `timeout` for any connection.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], with the server's own message as the source, if there is none by then.
    pub async fn wait(&self, timeout: Duration) -> Result<(), StoreError> {
        let shared = Arc::clone(&self.shared);
        blocking(move || shared.writer.wait(timeout)).await?
    }

    /// Pings the database, over a connection that is reserved for health checks.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] if it does not respond.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.health(diesel::r2d2::R2D2Connection::ping).await
    }

    /// How many connections the pool holds, and how many of them are idle.
    #[must_use]
    pub fn connections(&self) -> (u32, u32) {
        let state = self.shared.writer.state();
        (state.connections, state.idle_connections)
    }

    /// How many connections the pool may hold.
    #[must_use]
    pub fn connections_limit(&self) -> u32 {
        self.connection_settings().pool_size.max(1)
    }

    /// The connection settings; the URLs in them hold passwords.
    pub(crate) fn connection_settings(&self) -> &ConnectionSettings {
        &self.shared.connection_settings
    }

    /// The address of the same server without a pooler in between.
    pub(crate) fn direct_url(&self) -> String {
        let connection_settings = self.connection_settings();
        address::of_writer(connection_settings.direct_url.as_deref().unwrap_or(&connection_settings.url))
    }

    /// What changed and whoever keeps a copy has not read again.
    pub(crate) fn changes(&self) -> Arc<Changes> {
        Arc::clone(&self.shared.changes)
    }

    /// The address that the pool connects to.
    pub(crate) fn writer_url(&self) -> String {
        address::of_writer(&self.shared.connection_settings.url)
    }

    /// Runs an operation that changes something on a connection of the pool, off the async threads.
    ///
    /// The operation runs to its end even if the caller stops waiting: its permit is released together with the
    /// connection. If the server hangs, the caller gets [`StoreError::Unavailable`] when its patience ends, after
    /// [`ANSWER_WITHIN`] at the latest; the operation may still complete.
    pub(crate) async fn run<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&mut PgConnection) -> QueryResult<T> + Send + 'static,
    {
        self.in_lane(Lane::Writes, ANSWER_WITHIN, name_of::<F>(), (), work).await
    }

    /// [`Self::run`] for an operation that changes an account or a session: what is kept of them in memory is read again.
    pub(crate) async fn run_on_accounts<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&mut PgConnection) -> QueryResult<T> + Send + 'static,
    {
        // On the connection's thread, so that it is noted even if the caller has stopped waiting; and after the commit.
        let noted = NotesAccounts(self.changes());
        self.in_lane(Lane::Writes, ANSWER_WITHIN, name_of::<F>(), noted, work).await
    }

    /// [`Self::run`] for an operation of many statements.
    pub(crate) async fn run_long<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&mut PgConnection) -> QueryResult<T> + Send + 'static,
    {
        self.in_lane(Lane::Writes, LONG_ANSWER_WITHIN, name_of::<F>(), (), work).await
    }

    /// [`Self::run`] for an operation of many statements that no request waits for, such as what a demo begins with.
    pub(crate) async fn run_at_leisure<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&mut PgConnection) -> QueryResult<T> + Send + 'static,
    {
        self.in_lane(Lane::Writes, LEISURELY_ANSWER_WITHIN, name_of::<F>(), (), work).await
    }

    /// [`Self::run`] for an operation that changes one product's row: all such calls for one product together occupy
    /// only a few connections.
    pub(crate) async fn run_on<T, F>(&self, product: Uuid, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&mut PgConnection) -> QueryResult<T> + Send + 'static,
    {
        let deadlines = Deadlines::of_this_task();
        let place = self.shared.row_queues.enter(product, deadlines.begun_by(QUEUE_TIMEOUT)).await?;
        drop(deadlines);
        self.in_lane(Lane::Writes, ANSWER_WITHIN, name_of::<F>(), place, work).await
    }

    /// [`Self::run`] for an operation that reads a few rows by their keys.
    pub(crate) async fn read<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&mut PgConnection) -> QueryResult<T> + Send + 'static,
    {
        self.in_lane(Lane::Reads, ANSWER_WITHIN, name_of::<F>(), (), work).await
    }

    /// [`Self::run`] for an operation that reads many rows.
    pub(crate) async fn read_many<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&mut PgConnection) -> QueryResult<T> + Send + 'static,
    {
        self.in_lane(Lane::Lists, ANSWER_WITHIN, name_of::<F>(), (), work).await
    }

    /// [`Self::run`] for counting a request, which is not worth more than [`COUNT_WITHIN`]: neither of the caller's time nor, if the
    /// caller has given up, of a connection's.
    pub(crate) async fn count<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&mut PgConnection) -> QueryResult<T> + Send + 'static,
    {
        self.in_lane(Lane::Counts, COUNT_WITHIN, name_of::<F>(), (), work).await
    }

    /// [`Self::run`] for the shop's own health checks of the database.
    pub(crate) async fn health<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&mut PgConnection) -> QueryResult<T> + Send + 'static,
    {
        self.in_lane(Lane::Health, ANSWER_WITHIN, name_of::<F>(), (), work).await
    }

    /// `held` is dropped together with the permit. `name` is what [`name_of`] says of the caller's closure.
    async fn in_lane<T, F, H>(
        &self,
        lane: Lane,
        within: Duration,
        name: &'static str,
        held: H,
        work: F,
    ) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&mut PgConnection) -> QueryResult<T> + Send + 'static,
        H: Send + 'static,
    {
        let call = spans::call(name);
        let waiting = Waiting::begin(lane, &call);
        let mut deadlines = Deadlines::of_this_task();
        let connected_by = deadlines.begun_by(CHECKOUT_TIMEOUT.min(within));
        let permit = self.shared.lanes.enter(lane, connected_by).await?;
        let shared = Arc::clone(&self.shared);
        // Only what is in the lane of writes changes anything.
        let attribution = current().filter(|_| matches!(lane, Lane::Writes));
        let doing = Attended::begin(&self.shared, within, (permit, held), move || {
            let conn = shared.writer.check_out(connected_by.into_std());
            drop(waiting);
            let mut conn = conn?;
            let in_database = InDatabase::begin(&call);
            let done = match attribution {
                None => work(&mut conn.connection),
                Some(attribution) => attributed(&mut conn.connection, &attribution, work),
            };
            drop(in_database);
            if let Err(error) = &done {
                shared.writer.mark_suspect(&mut conn, error);
            }
            done.map_err(classify_error)
        });
        doing.answer_by(deadlines.answered_by(within)).await?
    }
}

/// Notes that accounts have changed, when it is dropped.
struct NotesAccounts(Arc<Changes>);

impl Drop for NotesAccounts {
    fn drop(&mut self) {
        self.0.note_accounts();
    }
}

/// Runs blocking code on the threads that are meant for it. What it logs says of which request it is.
#[expect(clippy::disallowed_methods, reason = "this is the one place that blocking work goes through")]
fn on_a_thread<T, F>(work: F) -> JoinHandle<T>
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    let span = tracing::Span::current();
    tokio::task::spawn_blocking(move || span.in_scope(work))
}

/// [`on_a_thread`], to its end.
pub(crate) async fn blocking<T, F>(work: F) -> Result<T, StoreError>
where
    T: Send + 'static,
    F: FnOnce() -> T + Send + 'static,
{
    on_a_thread(work).await.map_err(internal)
}

/// Whole milliseconds, as a statement multiplies an interval of one millisecond by them.
pub(crate) fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
