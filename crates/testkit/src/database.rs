//! A database per test.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};

/// The prefix of every database that this crate creates.
const PREFIX: &str = "driveline_test_";

/// A database that belongs to one test and is dropped when the test ends.
///
/// It is a copy of a template that is migrated once per process, which takes milliseconds where migrating takes a good
/// part of a second.
#[derive(Debug)]
pub struct TestDatabase {
    name: String,
    url: String,
}

/// This process's name among those that test on the same server, held by a lock that is released when the process ends.
struct Bench {
    server: String,
    token: String,
    next: AtomicU32,
    template: Mutex<Option<String>>,
    /// Keeps the lock.
    _held: Mutex<PgConnection>,
}

impl TestDatabase {
    /// A fresh database on the server of `TEST_DATABASE_URL`. `migrate` is called once per process with the URL of an
    /// empty database; every test gets a copy of the result.
    ///
    /// # Panics
    /// Without a server, and when the server refuses.
    #[must_use]
    pub fn fresh(migrate: impl FnOnce(&str)) -> Self {
        let bench = bench();
        let template = bench.template(migrate);
        let number = bench.next.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PREFIX}{}_{number}", bench.token);
        // A third of the time that writing each page to the log takes: nobody wants this database after a crash.
        let copy = format!(r#"CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY file_copy"#);
        run(&mut bench.admin(), &copy);
        Self { url: bench.url(&name), name }
    }

    /// An empty database, for tests of the migrations themselves.
    ///
    /// # Panics
    /// As [`TestDatabase::fresh`].
    #[must_use]
    pub fn empty() -> Self {
        let bench = bench();
        let number = bench.next.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PREFIX}{}_{number}", bench.token);
        // No client connects to template0, not even autovacuum: while a session is in a template, Postgres refuses to
        // copy it.
        run(&mut bench.admin(), &format!(r#"CREATE DATABASE "{name}" TEMPLATE template0"#));
        Self { url: bench.url(&name), name }
    }

    /// Its `postgres://` URL.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Runs a statement that bypasses the shop's code.
    ///
    /// # Panics
    /// If the database rejects it.
    pub fn execute(&self, statement: &str) {
        let mut connection = PgConnection::establish(&self.url).expect("a database that answers");
        diesel::sql_query(statement).execute(&mut connection).expect("a statement that the database accepts");
    }
}

/// Runs statements on the database at a URL.
///
/// # Panics
/// Without a server, and when it rejects them.
pub fn execute(url: &str, statements: &str) {
    let mut connection = PgConnection::establish(url).expect("a server that answers");
    connection.batch_execute(statements).unwrap_or_else(|error| panic!("{statements}: {error}"));
}

/// One number from the database at a URL; `None` if it does not answer.
#[must_use]
pub fn number(url: &str, query: &str) -> Option<i64> {
    #[derive(QueryableByName)]
    struct Answer {
        #[diesel(sql_type = diesel::sql_types::BigInt)]
        number: i64,
    }
    let mut connection = PgConnection::establish(url).ok()?;
    let answer = diesel::sql_query(format!("SELECT ({query})::bigint AS number"));
    answer.get_result::<Answer>(&mut connection).ok().map(|answer| answer.number)
}

/// Statements of another session, whose transaction stays open until this is dropped.
pub struct Held(PgConnection);

impl std::fmt::Debug for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Held").finish_non_exhaustive()
    }
}

impl TestDatabase {
    /// Its name on the server.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs statements that bypass the shop's code.
    ///
    /// # Panics
    /// When the server rejects them.
    pub fn sql(&self, statements: &str) {
        execute(&self.url, statements);
    }

    /// Runs statements in a transaction that stays open and keeps all its locks.
    ///
    /// # Panics
    /// When the server rejects them.
    #[must_use]
    pub fn hold(&self, statements: &str) -> Held {
        let mut connection = PgConnection::establish(&self.url).expect("the server answered before");
        connection
            .batch_execute(&format!("BEGIN; {statements}"))
            .unwrap_or_else(|error| panic!("{statements}: {error}"));
        Held(connection)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // If the server is gone, so is the transaction.
        let _ = self.0.batch_execute("ROLLBACK");
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        // FORCE: a pool that the test has not dropped yet still has connections. What cannot be dropped now is dropped
        // by the next process that tests here.
        if let Ok(mut admin) = PgConnection::establish(&bench().server) {
            let _ = diesel::sql_query(format!(r#"DROP DATABASE "{}" WITH (FORCE)"#, self.name)).execute(&mut admin);
        }
    }
}

fn bench() -> &'static Bench {
    static BENCH: OnceLock<Bench> = OnceLock::new();
    BENCH.get_or_init(Bench::set_up)
}

impl Bench {
    fn set_up() -> Self {
        #[expect(clippy::disallowed_methods, reason = "tests have no configuration but this variable")]
        let server = std::env::var("TEST_DATABASE_URL")
            .unwrap_or_else(|_| panic!("no database to test on: run `make test-store`, which starts one"));
        let mut connection = PgConnection::establish(&server)
            .unwrap_or_else(|error| panic!("TEST_DATABASE_URL names no server that answers: {error}"));
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
        let token = format!("{}x{}", std::process::id(), since_epoch.as_nanos());
        assert!(try_lock(&mut connection, &token), "another process has the same id at the same nanosecond");
        sweep(&mut connection);
        let (next, template) = (AtomicU32::new(1), Mutex::new(None));
        Self { server, token, next, template, _held: Mutex::new(connection) }
    }

    fn admin(&self) -> PgConnection {
        PgConnection::establish(&self.server).expect("the server answered before")
    }

    fn template(&self, migrate: impl FnOnce(&str)) -> String {
        let mut template = self.template.lock().unwrap_or_else(PoisonError::into_inner);
        template
            .get_or_insert_with(|| {
                let name = format!("{PREFIX}{}_template", self.token);
                run(&mut self.admin(), &format!(r#"CREATE DATABASE "{name}" TEMPLATE template0"#));
                migrate(&self.url(&name));
                name
            })
            .clone()
    }

    /// The server's URL with another database in it.
    fn url(&self, database: &str) -> String {
        let (base, query) = match self.server.split_once('?') {
            Some((base, query)) => (base, format!("?{query}")),
            None => (self.server.as_str(), String::new()),
        };
        let after_scheme = base.find("://").map_or(0, |at| at + 3);
        let host_ends = base[after_scheme..].find('/').map_or(base.len(), |at| after_scheme + at);
        format!("{}/{database}{query}", &base[..host_ends])
    }
}

/// Drops the databases of processes that have ended: those whose token is not locked any more.
fn sweep(connection: &mut PgConnection) {
    #[derive(QueryableByName)]
    struct Left {
        #[diesel(sql_type = Text)]
        datname: String,
    }
    let left: Vec<Left> = diesel::sql_query("SELECT datname::text FROM pg_database WHERE starts_with(datname, $1)")
        .bind::<Text, _>(PREFIX)
        .load(connection)
        .expect("a list of databases");
    for Left { datname } in left {
        let token = datname.trim_start_matches(PREFIX).split('_').next().unwrap_or_default();
        if try_lock(connection, token) {
            // Two processes may sweep concurrently and both try.
            let _ =
                diesel::sql_query(format!(r#"DROP DATABASE IF EXISTS "{datname}" WITH (FORCE)"#)).execute(connection);
            let _ = diesel::sql_query("SELECT pg_advisory_unlock(hashtextextended($1, 0))")
                .bind::<Text, _>(token)
                .execute(connection);
        }
    }
}

fn try_lock(connection: &mut PgConnection, token: &str) -> bool {
    #[derive(QueryableByName)]
    struct Locked {
        #[diesel(sql_type = Bool)]
        locked: bool,
    }
    diesel::sql_query(
        "SELECT NOT EXISTS (
            SELECT FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND pid = pg_backend_pid()
            AND (classid::bigint << 32) | objid::bigint = hashtextextended($1, 0)
        ) AND pg_try_advisory_lock(hashtextextended($1, 0)) AS locked",
    )
    .bind::<Text, _>(token)
    .get_result::<Locked>(connection)
    .expect("an answer about a lock")
    .locked
}

fn run(connection: &mut PgConnection, statement: &str) {
    diesel::sql_query(statement).execute(connection).unwrap_or_else(|error| panic!("{statement}: {error}"));
}
