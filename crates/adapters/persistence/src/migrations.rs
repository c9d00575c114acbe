//! The database migrations, and how they are run.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use diesel::connection::SimpleConnection;
use diesel::migration::{Migration, MigrationSource};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool};
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use ports::StoreError;

use self::bookkeeping::__diesel_schema_migrations;
use crate::Database;
use crate::platform::db::errors::is_lock_timeout;
use crate::platform::db::{blocking, classify_error, internal, unavailable};

/// Every migration, up and down, embedded at build time.
pub const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../../migrations");

/// Key of the migrations' advisory lock: any number that nothing else locks on this database.
const LOCK: i64 = 0x6472_6976_656c_696e;

/// How long a migration waits for a lock on a table. Statements that come after it, orders too, queue behind it for as
/// long; so it gives up and tries again.
const LOCK_TIMEOUT: &str = "1s";

/// The pause between attempts is this long and up to twice as long, so that statements that had to wait can proceed,
/// and two instances that collide do not collide again.
const PAUSE: Duration = Duration::from_millis(500);

/// How long to keep trying in all before an error is returned.
const TIMEOUT: Duration = Duration::from_mins(5);

/// Where Diesel records the applied migrations.
mod bookkeeping {
    diesel::table! {
        __diesel_schema_migrations (version) {
            version -> Text,
        }
    }
}

/// Applies the pending migrations to the database at a `postgres://` URL, and returns their names.
///
/// Several instances may call this concurrently, through any kind of pooler: each migration runs in the transaction
/// that holds the lock, and the next holder of the lock checks again what is pending. A migration that fails leaves the
/// database as the one before it did.
///
/// # Errors
/// [`StoreError::Unavailable`] if the database cannot be reached, or a table that a migration has to change stays in
/// use for minutes; [`StoreError::Internal`] if a migration fails.
pub async fn run(url: &str) -> Result<Vec<String>, StoreError> {
    run_from(url, MIGRATIONS, TIMEOUT).await
}

/// [`run`] with other migrations and another deadline.
///
/// # Errors
/// As [`run`].
pub async fn run_from(
    url: &str,
    steps: impl MigrationSource<Pg> + Send + 'static,
    timeout: Duration,
) -> Result<Vec<String>, StoreError> {
    let url = crate::platform::db::address::of_writer(url);
    blocking(move || Run::at(&url)?.finish(&steps, timeout)).await?
}

/// The outcome of one attempt.
enum StepOutcome {
    Step(String),
    /// Another instance is migrating, or a table that the migration has to change is in use.
    NotNow(&'static str),
    NothingLeft,
}

struct Run {
    url: String,
    connection: PgConnection,
}

impl Run {
    fn at(url: &str) -> Result<Self, StoreError> {
        // A separate connection: a migration may take longer than the pool allows any statement to take.
        Ok(Self { url: url.to_owned(), connection: establish(url)? })
    }

    fn finish(mut self, all: &impl MigrationSource<Pg>, timeout: Duration) -> Result<Vec<String>, StoreError> {
        let begun = Instant::now();
        let mut steps = Vec::new();
        loop {
            match self.take_step(all)? {
                StepOutcome::Step(step) => steps.push(step),
                StepOutcome::NothingLeft => return Ok(steps),
                StepOutcome::NotNow(why) if begun.elapsed() > timeout => return Err(unavailable(why)),
                StepOutcome::NotNow(why) => {
                    tracing::info!(why, "a migration is waiting");
                    std::thread::sleep(PAUSE + jitter(begun));
                }
            }
        }
    }

    /// Applies the first pending migration, in the transaction that holds the lock.
    fn take_step(&mut self, all: &impl MigrationSource<Pg>) -> Result<StepOutcome, StoreError> {
        let url = self.url.clone();
        let taken = self.connection.transaction::<StepOutcome, Failed, _>(|connection| {
            // Only transaction-level settings: a pooler may give the session to another client afterwards.
            connection.batch_execute(&format!(
                "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
                SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'"
            ))?;
            // Asked before anything is locked or made: whoever may only read finds an up-to-date database up to date.
            if missing(connection, all)?.is_empty() {
                return Ok(StepOutcome::NothingLeft);
            }
            // Does not wait: a statement that waits holds a snapshot, and CREATE INDEX CONCURRENTLY would wait for that
            // snapshot.
            let alone: bool = diesel::select(diesel::dsl::sql::<Bool>("pg_try_advisory_xact_lock(").bind::<BigInt, _>(LOCK).sql(")"))
                .get_result(connection)?;
            if !alone {
                return Ok(StepOutcome::NotNow("another instance is migrating"));
            }
            // Another instance may have applied some meanwhile. Diesel makes its table here, if there is none.
            connection.applied_migrations().map_err(Failed::Step)?;
            let missing = missing(connection, all)?;
            let Some(step) = missing.first() else { return Ok(StepOutcome::NothingLeft) };
            if step.metadata().run_in_transaction() {
                connection.run_migration(step).map_err(Failed::Step)?;
            } else {
                // Runs on a second connection. This transaction holds the lock meanwhile, but must hold no snapshot, or
                // the index would wait for it. The result of the last query keeps a snapshot open until a
                // simple-protocol query runs.
                connection.batch_execute("SELECT 1")?;
                take_outside(&url, step)?;
            }
            Ok(StepOutcome::Step(step.name().to_string()))
        });
        match taken {
            Ok(taken) => Ok(taken),
            Err(Failed::Step(error)) if is_lock_timeout(error.as_ref()) => {
                Ok(StepOutcome::NotNow("a table that it has to change is in use"))
            }
            Err(Failed::Step(error)) => Err(internal(error)),
            Err(Failed::Query(error)) => Err(classify_error(error)),
            Err(Failed::Store(error)) => Err(error),
        }
    }
}

enum Failed {
    Query(diesel::result::Error),
    Step(Box<dyn std::error::Error + Send + Sync>),
    Store(StoreError),
}

impl From<diesel::result::Error> for Failed {
    fn from(error: diesel::result::Error) -> Self {
        Self::Query(error)
    }
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

fn establish(url: &str) -> Result<PgConnection, StoreError> {
    // Without named prepared statements, so that it works through any pooler.
    crate::platform::db::establish(url, crate::Pooler::Transaction).map_err(unavailable)
}

/// The migrations that the database has not applied, the first one first.
fn missing(
    connection: &mut PgConnection,
    all: &impl MigrationSource<Pg>,
) -> Result<Vec<Box<dyn Migration<Pg>>>, Failed> {
    let applied = applied(connection)?;
    let mut missing = all.migrations().map_err(Failed::Step)?;
    missing.retain(|step| !applied.contains(&step.name().version().to_string()));
    missing.sort_unstable_by(|a, b| a.name().version().cmp(&b.name().version()));
    Ok(missing)
}

/// Runs a migration that cannot run in a transaction, such as `CREATE INDEX CONCURRENTLY`. Drops what an earlier
/// attempt left unfinished first.
fn take_outside(url: &str, step: &dyn Migration<Pg>) -> Result<(), Failed> {
    #[derive(QueryableByName)]
    struct Left {
        #[diesel(sql_type = diesel::sql_types::Text)]
        name: String,
    }
    let mut connection = establish(url)?;
    connection.batch_execute("SET statement_timeout = 0")?;
    let left: Vec<Left> = diesel::sql_query(
        "SELECT indexrelid::regclass::text AS name FROM pg_index
        WHERE NOT indisvalid AND indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace)
        AND indexrelid NOT IN (SELECT index_relid FROM pg_stat_progress_create_index)",
    )
    .load(&mut connection)?;
    for Left { name } in left {
        connection.batch_execute(&format!("DROP INDEX CONCURRENTLY {name}"))?;
    }
    connection.run_migration(step).map_err(Failed::Step)?;
    Ok(())
}

/// The elapsed time modulo [`PAUSE`]: different each time and in each instance.
fn jitter(begun: Instant) -> Duration {
    Duration::from_nanos(
        u64::from(begun.elapsed().subsec_nanos()) % u64::try_from(PAUSE.as_nanos()).unwrap_or(u64::MAX),
    )
}

impl Database {
    /// Applies the pending migrations to this database; see [`run`].
    ///
    /// # Errors
    /// As [`run`].
    pub async fn migrate(&self) -> Result<Vec<String>, StoreError> {
        run(&self.direct_url()).await
    }

    /// The names of the migrations that this version knows and the database has not applied; empty when it is ready.
    /// Read-only.
    ///
    /// # Errors
    /// [`StoreError`] if the database cannot be read.
    pub async fn pending(&self) -> Result<Vec<String>, StoreError> {
        self.health(pending).await
    }
}

/// A migration's version, and its name.
struct Step {
    version: String,
    name: String,
}

/// Of every embedded migration: they never change while the program runs, and readiness checks look each second.
static STEPS: LazyLock<Result<Vec<Step>, String>> = LazyLock::new(|| {
    let steps: Vec<Box<dyn Migration<Pg>>> = MIGRATIONS.migrations().map_err(|error| error.to_string())?;
    let steps =
        steps.iter().map(|step| Step { version: step.name().version().to_string(), name: step.name().to_string() });
    Ok(steps.collect())
});

pub(crate) fn pending(connection: &mut PgConnection) -> QueryResult<Vec<String>> {
    let steps = STEPS.as_ref().map_err(|why| diesel::result::Error::DeserializationError(why.as_str().into()))?;
    let applied = applied(connection)?;
    Ok(steps.iter().filter(|step| !applied.contains(&step.version)).map(|step| step.name.clone()).collect())
}

/// The versions that the database has applied. Makes nothing.
fn applied(connection: &mut PgConnection) -> QueryResult<Vec<String>> {
    let begun: bool = diesel::select(diesel::dsl::sql::<Bool>("to_regclass('__diesel_schema_migrations') IS NOT NULL"))
        .get_result(connection)?;
    if !begun {
        return Ok(Vec::new());
    }
    __diesel_schema_migrations::table.select(__diesel_schema_migrations::version).load(connection)
}
