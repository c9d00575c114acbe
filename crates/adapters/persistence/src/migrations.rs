//! The database's shape, and how it gets there.

use diesel::migration::{Migration, MigrationSource};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::Bool;
use diesel_migrations::{EmbeddedMigrations, MigrationHarness, embed_migrations};
use ports::StoreError;

use self::bookkeeping::__diesel_schema_migrations;
use crate::Database;
use crate::db::{away, blocking, broken, judge};

/// Every step, up and down, as it was when the program was built.
pub const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../../migrations");

/// Any number that nobody else locks on this database.
const LOCK: i64 = 0x6472_6976_656c_696e;

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
/// Several copies of the program may call this at once: one works, the others wait for it and find nothing to do. Every
/// step is a transaction of its own, so that a step that fails leaves the database as the one before it did.
///
/// # Errors
/// [`StoreError::Away`] if the database cannot be reached or others do not finish within a minute, [`StoreError::Broken`]
/// if a step fails.
pub async fn run(url: &str) -> Result<Vec<String>, StoreError> {
    let url = url.to_owned();
    blocking(move || run_blocking(&url)).await?
}

fn run_blocking(url: &str) -> Result<Vec<String>, StoreError> {
    let mut connection = PgConnection::establish(url).map_err(away)?;
    // A connection of its own, because a step may take longer than the pool allows any statement to take. The lock
    // belongs to the connection and goes with it, however this ends.
    diesel::sql_query("SET lock_timeout = '60s'").execute(&mut connection).map_err(judge)?;
    diesel::sql_query("SELECT pg_advisory_lock($1)")
        .bind::<diesel::sql_types::BigInt, _>(LOCK)
        .execute(&mut connection)
        .map_err(judge)?;
    let steps = connection.run_pending_migrations(MIGRATIONS).map_err(broken)?;
    Ok(steps.iter().map(ToString::to_string).collect())
}

impl Database {
    /// Brings this database up to date; see [`run`].
    ///
    /// # Errors
    /// As [`run`].
    pub async fn migrate(&self) -> Result<Vec<String>, StoreError> {
        run(self.url()).await
    }

    /// The names of the steps that this program knows and the database has not taken; empty when it is ready. Changes
    /// nothing.
    ///
    /// # Errors
    /// [`StoreError`] if the database does not tell.
    pub async fn pending(&self) -> Result<Vec<String>, StoreError> {
        self.run(|connection| {
            let steps: Vec<Box<dyn Migration<Pg>>> =
                MIGRATIONS.migrations().map_err(diesel::result::Error::DeserializationError)?;
            let begun: bool =
                diesel::select(diesel::dsl::sql::<Bool>("to_regclass('__diesel_schema_migrations') IS NOT NULL"))
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
        })
        .await
    }
}
