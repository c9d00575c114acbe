//! A bounded pool of connections to one server, and which of them can be trusted.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use diesel::connection::{CacheSize, SimpleConnection};
use diesel::prelude::*;
use diesel::r2d2::R2D2Connection;
use diesel::result::Error;
use diesel::sql_types::Bool;
use diesel::{Connection, ConnectionError, PgConnection};
use ports::StoreError;
use r2d2::{ManageConnection, PooledConnection};

use super::errors::{Trust, trust_after, unavailable};
use super::session::SESSION_SQL;
use super::statements;

/// At most one log line per interval says that there is no connection; it says how often one was wanted since
/// the last line.
const REPORT_EVERY: Duration = Duration::from_secs(10);

/// How many connections are held open for whoever comes next. The others are opened when they are needed, so that a shop that
/// starts does not wait until its database has forked a process for each, and closed when they were not needed for minutes.
const HELD_READY: u32 = 2;

/// How long a connection that could not be opened waits for the next attempt. Of a planned switch of the primary, in which nobody
/// can be connected to for two or three seconds, a pause that grows to seconds would be a large part.
const PAUSE_BETWEEN_ATTEMPTS: Duration = Duration::from_millis(300);
/// How far apart the attempts of all connections together are while the server is away. Each costs every server that is named a
/// process and the check of a password, just when one of them is to take over.
const PAUSE_WHILE_AWAY: Duration = Duration::from_millis(250);

/// Marks a connection that has to be checked before it is used again.
const NEVER: u64 = u64::MAX;

/// The pooler between us and the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pooler {
    /// None, or a pooler that assigns a session for as long as we hold the connection.
    #[default]
    None,
    /// A pooler that assigns a session for one transaction: session state must not be relied upon.
    Transaction,
}

/// What a server has to be for its connections to be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Writer,
    Reader,
}

pub(super) struct Pool {
    opened: Mutex<Opened>,
    url: String,
    size: u32,
    pooler: Pooler,
    breakdowns: Arc<AtomicU64>,
    role: Role,
}

/// The connections, and how many pools were given up before.
struct Opened {
    generation: u64,
    connections: r2d2::Pool<Manager>,
}

impl Pool {
    /// Opens a pool, which fills in the background for as long as it takes.
    pub(super) fn open(url: String, size: u32, pooler: Pooler, role: Role) -> Self {
        let breakdowns = Arc::new(AtomicU64::new(0));
        let manager = Manager::new(url.clone(), pooler, Arc::clone(&breakdowns));
        let opened = Mutex::new(Opened { generation: 0, connections: fill(manager, size) });
        Self { opened, url, size, pooler, breakdowns, role }
    }

    fn opened(&self) -> MutexGuard<'_, Opened> {
        self.opened.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn connections(&self) -> r2d2::Pool<Manager> {
        self.opened().connections.clone()
    }

    /// Which pool connections are taken from now.
    pub(super) fn generation(&self) -> u64 {
        self.opened().generation
    }

    /// Opens another pool in the place of this one, unless that was done already. Connections that are in use stay open until
    /// whoever has them returns them.
    pub(super) fn give_up(&self, generation: u64) {
        let mut opened = self.opened();
        if opened.generation == generation {
            tracing::warn!("the database has not answered in time: no connection from before is used again");
            let manager = Manager::new(self.url.clone(), self.pooler, Arc::clone(&self.breakdowns));
            *opened = Opened { generation: generation + 1, connections: fill(manager, self.size) };
        }
    }

    /// Waits for any connection; the error holds the server's own message.
    pub(super) fn wait(&self, timeout: Duration) -> Result<(), StoreError> {
        self.connections().get_timeout(timeout).map(drop).map_err(unavailable)
    }

    pub(super) fn state(&self) -> r2d2::State {
        self.connections().state()
    }

    /// A connection that is trusted, or was just checked: after a breakdown, such as a restart of the server, one
    /// caller notices by an error, and the other connections from before are checked before they are used.
    pub(super) fn check_out(&self, deadline: Instant) -> Result<PooledConnection<Manager>, StoreError> {
        let connections = self.connections();
        let next = || connections.get_timeout(deadline.saturating_duration_since(Instant::now())).map_err(unavailable);
        for _ in 0..connections.max_size() {
            let mut conn = next()?;
            let breakdowns = self.breakdowns.load(Ordering::Relaxed);
            if conn.trusted_since == breakdowns || self.is_proved(&mut conn.connection) {
                conn.trusted_since = breakdowns;
                return Ok(conn);
            }
            conn.discarded = true;
        }
        next()
    }

    /// A connection as from [`Self::check_out`], if one is idle now.
    pub(super) fn idle(&self) -> Option<PooledConnection<Manager>> {
        let mut conn = self.connections().try_get()?;
        let breakdowns = self.breakdowns.load(Ordering::Relaxed);
        if conn.trusted_since != breakdowns && !self.is_proved(&mut conn.connection) {
            conn.discarded = true;
            return None;
        }
        conn.trusted_since = breakdowns;
        Some(conn)
    }

    fn is_proved(&self, connection: &mut PgConnection) -> bool {
        match self.role {
            Role::Reader => connection.ping().is_ok(),
            // A former writer that is now a replica answers queries, but accepts no writes.
            Role::Writer => is_read_only(connection).is_ok_and(|read_only| !read_only),
        }
    }

    /// Marks or discards the connection after an error. Diesel alone does not: it keeps handing out a connection that
    /// was cut while no transaction was open.
    pub(super) fn mark_suspect(&self, conn: &mut PooledConn, error: &Error) {
        let trust = if conn.connection.is_broken() { Trust::Lost } else { trust_after(error) };
        match trust {
            Trust::Kept => {}
            Trust::Doubted => conn.trusted_since = NEVER,
            Trust::Lost => {
                conn.discarded = true;
                self.breakdowns.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

fn fill(manager: Manager, size: u32) -> r2d2::Pool<Manager> {
    r2d2::Pool::builder()
        .max_size(size)
        .min_idle(Some(HELD_READY.min(size)))
        // Saves a round trip on every checkout; a breakdown makes the older connections be checked instead.
        .test_on_check_out(false)
        // Nobody waits for as long as this says: half of it is what the pause between two attempts grows to.
        .connection_timeout(2 * PAUSE_BETWEEN_ATTEMPTS)
        .error_handler(Box::new(Report::default()))
        .build_unchecked(manager)
}

/// Whether the server accepts no writes at the moment.
pub(super) fn is_read_only(connection: &mut PgConnection) -> QueryResult<bool> {
    #[derive(QueryableByName)]
    struct Answer {
        #[diesel(sql_type = Bool)]
        read_only: bool,
    }
    diesel::sql_query("SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS read_only")
        .get_result::<Answer>(connection)
        .map(|answer| answer.read_only)
}

/// Opens and checks the pool's connections.
pub(super) struct Manager {
    url: String,
    pooler: Pooler,
    breakdowns: Arc<AtomicU64>,
    reach: Mutex<Reach>,
}

/// Whether the server can be reached, as far as is known.
#[derive(Default)]
struct Reach {
    /// When the last attempt began that reached it.
    reached: Option<Instant>,
    away: Option<Away>,
}

/// A server that the last attempt did not reach.
struct Away {
    tried_at: Instant,
    why: String,
}

impl Manager {
    fn new(url: String, pooler: Pooler, breakdowns: Arc<AtomicU64>) -> Self {
        Self { url, pooler, breakdowns, reach: Mutex::default() }
    }

    fn reach(&self) -> MutexGuard<'_, Reach> {
        self.reach.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it is time to try a server that is away; otherwise why the last attempt has failed.
    fn begin_attempt(&self) -> Result<(), ConnectionError> {
        match self.reach().away.as_mut() {
            Some(away) if away.tried_at.elapsed() < PAUSE_WHILE_AWAY => {
                Err(ConnectionError::BadConnection(away.why.clone()))
            }
            Some(away) => {
                away.tried_at = Instant::now();
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Notes how an attempt has ended. One that fails late says nothing about a server that was reached since it began.
    fn end_attempt(&self, begun: Instant, failed: Option<&ConnectionError>) {
        let mut reach = self.reach();
        match failed {
            None => *reach = Reach { reached: Some(begun), away: None },
            Some(error) if reach.reached.is_none_or(|reached| reached <= begun) => {
                reach.away = Some(Away { tried_at: Instant::now(), why: error.to_string() });
            }
            Some(_) => {}
        }
    }

    fn attempt(&self) -> Result<PgConnection, ConnectionError> {
        let mut connection = establish(&self.url, self.pooler)?;
        if self.pooler == Pooler::None {
            connection.batch_execute(SESSION_SQL).map_err(ConnectionError::CouldntSetupConfiguration)?;
        }
        Ok(connection)
    }
}

/// One connection of the pool.
pub(super) struct PooledConn {
    pub(super) connection: PgConnection,
    /// The number of breakdowns when it last proved to work, or [`NEVER`].
    trusted_since: u64,
    /// It must not be used again.
    discarded: bool,
}

impl ManageConnection for Manager {
    type Connection = PooledConn;
    type Error = ConnectionError;

    fn connect(&self) -> Result<PooledConn, ConnectionError> {
        let trusted_since = self.breakdowns.load(Ordering::Relaxed);
        self.begin_attempt()?;
        let begun = Instant::now();
        let attempt = self.attempt();
        self.end_attempt(begun, attempt.as_ref().err());
        let mut connection = attempt?;
        statements::observe(&mut connection);
        Ok(PooledConn { connection, trusted_since, discarded: false })
    }

    fn is_valid(&self, conn: &mut PooledConn) -> Result<(), ConnectionError> {
        conn.connection.ping().map_err(ConnectionError::CouldntSetupConfiguration)
    }

    fn has_broken(&self, conn: &mut PooledConn) -> bool {
        conn.discarded || std::thread::panicking() || conn.connection.is_broken()
    }
}

/// Opens a connection. Behind a transaction pooler, prepared statements are unnamed: Diesel numbers them per
/// connection, so the same name would mean another statement on the session that the pooler assigns next.
pub(crate) fn establish(url: &str, pooler: Pooler) -> Result<PgConnection, ConnectionError> {
    let mut connection = PgConnection::establish(url)?;
    if pooler == Pooler::Transaction {
        connection.set_prepared_statement_cache_size(CacheSize::Disabled);
    }
    Ok(connection)
}

/// Logs that there is no connection: the first time, and then at most once per [`REPORT_EVERY`].
#[derive(Debug, Default)]
struct Report(Mutex<Option<(Instant, u64)>>);

impl r2d2::HandleError<ConnectionError> for Report {
    fn handle_error(&self, error: ConnectionError) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let more = match last.as_mut() {
            Some((at, unsaid)) if at.elapsed() < REPORT_EVERY => {
                *unsaid += 1;
                return;
            }
            Some((_, unsaid)) => *unsaid,
            None => 0,
        };
        *last = Some((Instant::now(), 0));
        tracing::warn!(%error, more, "no connection to the database");
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use r2d2::HandleError as _;

    use super::*;

    /// A server that closes each connection as soon as it has it, and an address of it to which an attempt is one connection.
    fn away() -> (TcpListener, String) {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("postgres://shop@{}/shop?sslmode=disable&gssencmode=disable", server.local_addr().unwrap());
        (server, url)
    }

    #[test]
    fn a_server_that_is_away_is_tried_at_a_steady_pace() {
        let (server, url) = away();
        let pool = Pool::open(url, 1, Pooler::None, Role::Writer);
        let begun = Instant::now();
        // With a pause that doubles up to a second and a half the ninth comes after ten.
        for _ in 0..9 {
            drop(server.accept().unwrap());
        }
        assert!(begun.elapsed() < Duration::from_secs(6), "{:?}", begun.elapsed());
        drop(pool);
    }

    #[test]
    fn an_attempt_that_fails_late_says_nothing_of_a_server_that_was_reached_meanwhile() {
        let manager = Manager::new(String::new(), Pooler::None, Arc::default());
        let first = Instant::now();
        let (second, third) = (first + Duration::from_millis(1), first + Duration::from_millis(2));
        let failed = ConnectionError::BadConnection("timed out".to_owned());
        manager.end_attempt(first, Some(&failed));
        assert!(manager.begin_attempt().is_err(), "tried at once");
        manager.end_attempt(second, None);
        manager.end_attempt(first, Some(&failed));
        assert!(manager.begin_attempt().is_ok(), "not tried, though it was reached");
        manager.end_attempt(third, Some(&failed));
        assert!(manager.begin_attempt().is_err(), "tried at once");
    }

    #[test]
    fn a_server_that_is_away_is_tried_no_more_often_by_sixteen_connections_than_by_one() {
        let (server, url) = away();
        let tried = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&tried);
        std::thread::spawn(move || {
            while server.accept().is_ok() {
                counted.fetch_add(1, Ordering::Relaxed);
            }
        });
        let pool = Pool::open(url, 16, Pooler::None, Role::Writer);
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| assert!(pool.wait(Duration::from_secs(3)).is_err()));
            }
        });
        // Twelve in three seconds, and those that were on their way when the first failed; without the pause of all together 160.
        let tried = tried.load(Ordering::Relaxed);
        assert!((2..40).contains(&tried), "{tried}");
    }

    #[test]
    fn an_outage_is_one_line_in_ten_seconds() {
        let report = Report::default();
        for _ in 0..1_000 {
            report.handle_error(ConnectionError::BadConnection("connection refused".to_owned()));
        }
        let (_, unsaid) = report.0.lock().unwrap().unwrap();
        assert_eq!(unsaid, 999);
    }
}
