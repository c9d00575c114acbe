//! The database's shape, and how it gets there.

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

/// Every step, up and down, as it was when the program was built.
pub const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../../migrations");

/// Any number that nobody else locks on this database.
const LOCK: i64 = 0x6472_6976_656c_696e;

/// How long a step waits for a table that somebody uses. Whoever comes after it waits as long, orders too; so it gives way
/// and tries again.
const LOCK_TIMEOUT: &str = "1s";

/// The pauses between tries are this long and up to twice as long, so that what had to wait goes on, and two who collide do
/// not collide again.
const PAUSE: Duration = Duration::from_millis(500);

/// How long the steps may be tried for in all before whoever asked is told.
const PATIENCE: Duration = Duration::from_mins(5);

/// Where Diesel notes the steps that were taken.
mod bookkeeping {
    diesel::table! {
        __diesel_schema_migrations (version) {
            version -> Text,
        }
    }
}

/// Brings the database at a `postgres://` URL up to date, and answers the names of the steps that were missing.
///
/// Several copies of the program may call this at once, through a pooler of whatever kind as well: a step is taken in the
/// transaction that holds the lock, and whoever gets the lock next looks again for what is missing. A step that fails leaves
/// the database as the one before it did.
///
/// # Errors
/// [`StoreError::Unavailable`] if the database cannot be reached, or others use for minutes what a step has to change;
/// [`StoreError::Internal`] if a step fails.
pub async fn run(url: &str) -> Result<Vec<String>, StoreError> {
    run_from(url, MIGRATIONS, PATIENCE).await
}

/// [`run`] with other steps and another patience.
///
/// # Errors
/// As [`run`].
pub async fn run_from(
    url: &str,
    steps: impl MigrationSource<Pg> + Send + 'static,
    patience: Duration,
) -> Result<Vec<String>, StoreError> {
    let url = crate::platform::db::address_of_writer(url);
    blocking(move || Run::at(&url)?.finish(&steps, patience)).await?
}

/// What became of one try.
enum StepOutcome {
    Step(String),
    /// Somebody else migrates, or uses what the step has to change.
    NotNow(&'static str),
    NothingLeft,
}

struct Run {
    url: String,
    connection: PgConnection,
}

impl Run {
    fn at(url: &str) -> Result<Self, StoreError> {
        // A connection of its own, because a step may take longer than the pool allows any statement to take.
        Ok(Self { url: url.to_owned(), connection: establish(url)? })
    }

    fn finish(mut self, all: &impl MigrationSource<Pg>, patience: Duration) -> Result<Vec<String>, StoreError> {
        let begun = Instant::now();
        let mut steps = Vec::new();
        loop {
            match self.take_step(all)? {
                StepOutcome::Step(step) => steps.push(step),
                StepOutcome::NothingLeft => return Ok(steps),
                StepOutcome::NotNow(why) if begun.elapsed() > patience => return Err(unavailable(why)),
                StepOutcome::NotNow(why) => {
                    tracing::info!(why, "a migration waits");
                    std::thread::sleep(PAUSE + jitter(begun));
                }
            }
        }
    }

    /// Takes the first step that is missing, in the transaction that holds the lock.
    fn take_step(&mut self, all: &impl MigrationSource<Pg>) -> Result<StepOutcome, StoreError> {
        let url = self.url.clone();
        let taken = self.connection.transaction::<StepOutcome, Failed, _>(|connection| {
            // Nothing here belongs to the session: a pooler may give it to somebody else afterwards.
            connection.batch_execute(&format!(
                "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
                SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'"
            ))?;
            // It does not wait: a statement that waits holds a snapshot, for which CREATE INDEX CONCURRENTLY waits.
            let alone: bool = diesel::select(diesel::dsl::sql::<Bool>("pg_try_advisory_xact_lock(").bind::<BigInt, _>(LOCK).sql(")"))
                .get_result(connection)?;
            if !alone {
                return Ok(StepOutcome::NotNow("another copy of the program migrates"));
            }
            let taken = connection.applied_migrations().map_err(Failed::Step)?;
            let mut missing = all.migrations().map_err(Failed::Step)?;
            missing.retain(|step| !taken.contains(&step.name().version().as_owned()));
            missing.sort_unstable_by(|a, b| a.name().version().cmp(&b.name().version()));
            let Some(step) = missing.first() else { return Ok(StepOutcome::NothingLeft) };
            if step.metadata().run_in_transaction() {
                connection.run_migration(step).map_err(Failed::Step)?;
            } else {
                // Beside the transaction, which holds the lock meanwhile, and no snapshot: an index would wait for that. The
                // answer to the last question keeps one open until something is asked in the simple way.
                connection.batch_execute("SELECT 1")?;
                take_outside(&url, step)?;
            }
            Ok(StepOutcome::Step(step.name().to_string()))
        });
        match taken {
            Ok(taken) => Ok(taken),
            Err(Failed::Step(error)) if is_lock_timeout(error.as_ref()) => {
                Ok(StepOutcome::NotNow("somebody uses what it has to change"))
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
    // Without names of statements, so that any pooler may be in between.
    crate::platform::db::establish(url, crate::Pooler::Transaction).map_err(unavailable)
}

/// Takes a step that no transaction can hold, such as `CREATE INDEX CONCURRENTLY`. What an earlier try left unfinished is
/// taken away first.
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

/// How long ago something was, without its larger part: different each time, and different for everybody.
fn jitter(begun: Instant) -> Duration {
    Duration::from_nanos(
        u64::from(begun.elapsed().subsec_nanos()) % u64::try_from(PAUSE.as_nanos()).unwrap_or(u64::MAX),
    )
}

impl Database {
    /// Brings this database up to date; see [`run`].
    ///
    /// # Errors
    /// As [`run`].
    pub async fn migrate(&self) -> Result<Vec<String>, StoreError> {
        run(&self.direct_url()).await
    }

    /// The names of the steps that this program knows and the database has not taken; empty when it is ready. Changes
    /// nothing.
    ///
    /// # Errors
    /// [`StoreError`] if the database does not tell.
    pub async fn pending(&self) -> Result<Vec<String>, StoreError> {
        self.health(pending).await
    }
}

pub(crate) fn pending(connection: &mut PgConnection) -> QueryResult<Vec<String>> {
    let steps: Vec<Box<dyn Migration<Pg>>> =
        MIGRATIONS.migrations().map_err(diesel::result::Error::DeserializationError)?;
    let begun: bool = diesel::select(diesel::dsl::sql::<Bool>("to_regclass('__diesel_schema_migrations') IS NOT NULL"))
        .get_result(connection)?;
    let taken: Vec<String> = if begun {
        __diesel_schema_migrations::table.select(__diesel_schema_migrations::version).load(connection)?
    } else {
        Vec::new()
    };
    Ok(steps
        .iter()
        .filter(|step| !taken.contains(&step.name().version().to_string()))
        .map(|step| step.name().to_string())
        .collect())
}
