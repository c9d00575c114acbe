//! Commands that an operator runs on a shop's database.

use std::time::Duration;

use domain::{Email, Role};
use persistence::{ConnectionSettings, Database};
use ports::{AccountRepository, RoleChange, RoleGrant, error_chain};

use crate::cli::say;
use crate::config::{self, Console};
use crate::startup_error::StartupError;
use crate::telemetry::{self, LogFormat};
use crate::wiring::clock;

/// How long a database may take to answer for the first time.
const PATIENCE: Duration = Duration::from_secs(10);

/// Opens a connection to the database of the settings.
async fn connect(settings: &config::Database) -> Result<Database, StartupError> {
    let no_answer = |error| {
        StartupError::refused(format!(
            "the database of DATABASE_URL does not answer within {} s: {}",
            PATIENCE.as_secs(),
            reason(&error)
        ))
    };
    let database = Database::open(ConnectionSettings { pool_size: 1, read_url: None, ..settings.connection() })
        .map_err(no_answer)?;
    database.wait(PATIENCE).await.map_err(no_answer)?;
    Ok(database)
}

/// The cause of a store error, without the store's own sentence on it.
pub(crate) fn reason(error: &ports::StoreError) -> String {
    std::error::Error::source(error).map_or_else(|| error_chain(error), error_chain)
}

/// Brings a database up to date, and returns the names of the migrations that were missing.
pub(crate) async fn bring_up_to_date(database: &Database) -> Result<Vec<String>, StartupError> {
    let pending = database.pending().await.map_err(|error| StartupError::broken(error_chain(&error)))?;
    if pending.is_empty() {
        return Ok(pending);
    }
    database.migrate().await.map_err(|error| {
        StartupError::refused(format!("the database cannot be brought up to date: {}", reason(&error)))
    })
}

/// `driveline migrate`.
pub(crate) async fn migrate(settings: Console) -> Result<(), StartupError> {
    let database = connect(&settings.database).await?;
    telemetry::log(LogFormat::Person, settings.log);
    let steps = bring_up_to_date(&database).await?;
    if steps.is_empty() {
        return say("The database is up to date.");
    }
    steps.iter().try_for_each(|step| say(&format!("Applied {step}")))
}

/// `driveline admin grant EMAIL`: the way to the first admin. The operator has the database's password, but need not
/// own the address: someone else may have signed up with it.
pub(crate) async fn grant(settings: Console, email: Email, unverified: bool) -> Result<(), StartupError> {
    let database = connect(&settings.database).await?;
    telemetry::log(LogFormat::Person, settings.log);
    let grant = RoleGrant { role: Role::Admin, needs_proof: !unverified, at: clock().now() };
    match database.set_role(&email, grant).await {
        Ok(RoleChange::Changed) => say(&format!("{email} is an admin now.")),
        Ok(RoleChange::Same) => say(&format!("{email} is an admin already.")),
        Ok(RoleChange::Unknown | RoleChange::LastAdmin) => {
            Err(StartupError::refused(format!("nobody has signed up as {email}")))
        }
        Ok(RoleChange::Unproved) => Err(StartupError::refused(format!(
            "nobody has confirmed {email} yet, and whoever signed up with it may be somebody else: have them open the link of the \
             confirmation e-mail while signed in, or insist with --unverified"
        ))),
        Err(error) => Err(StartupError::broken(error_chain(&error))),
    }
}
