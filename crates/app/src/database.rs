//! The shop's database, as the commands find it.

use std::time::Duration;

use persistence::{ConnectionSettings, Database};
use ports::{StoreError, error_chain};

use crate::config;
use crate::startup_error::StartupError;

/// How long a database may take to answer for the first time.
const FIRST_ANSWER: Duration = Duration::from_secs(10);

/// Opens a connection to the database of the settings.
pub(crate) async fn connect(settings: &config::Database) -> Result<Database, StartupError> {
    let no_answer = |error| {
        StartupError::refused(format!(
            "the database of DATABASE_URL does not answer within {} s: {}",
            FIRST_ANSWER.as_secs(),
            reason(&error)
        ))
    };
    let database = Database::open(ConnectionSettings { pool_size: 1, read_url: None, ..settings.connection() })
        .map_err(no_answer)?;
    database.wait(FIRST_ANSWER).await.map_err(no_answer)?;
    Ok(database)
}

/// Brings a database up to date, and returns the names of the migrations that were missing. The pool is not asked whether there are
/// any: it names its statements, and a pooler that nobody said a word about would lend a session that has such a name already.
pub(crate) async fn bring_up_to_date(database: &Database) -> Result<Vec<String>, StartupError> {
    database.migrate().await.map_err(|error| cannot_be_brought_up_to_date(&error))
}

/// A migration failed.
pub(crate) fn cannot_be_brought_up_to_date(error: &StoreError) -> StartupError {
    StartupError::refused(format!("the database cannot be brought up to date: {}", reason(error)))
}

/// The cause of a store error, without the store's own sentence on it.
pub(crate) fn reason(error: &StoreError) -> String {
    std::error::Error::source(error).map_or_else(|| error_chain(error), error_chain)
}
