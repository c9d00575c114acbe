//! From a database that may be unavailable, or the wrong one, to one that the shop can be opened on.

use ports::error_chain;
use std::time::Duration;

use persistence::{ConnectFailure, Database, Examination};
use tokio::time::sleep;

use crate::database::{cannot_be_brought_up_to_date, reason};
use crate::readiness::is_close;
use crate::startup_error::StartupError;

/// How long one attempt to reach the database lasts.
const TRY: Duration = Duration::from_secs(3);
/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(500);

/// Retries until the database is reachable, sound and up to date. Ends early only for an error that the operator has to
/// fix.
///
/// `requires_durability` is a shop that browsers reach over https: it does not open on a database that may lose acknowledged
/// writes.
pub(crate) async fn open(database: &Database, requires_durability: bool) -> Result<(), StartupError> {
    let mut said = String::new();
    loop {
        match attempt(database, requires_durability).await {
            Ok(()) => return Ok(()),
            Err(OpenError::Permanent(startup_error)) => return Err(startup_error),
            Err(OpenError::Retryable(why)) => {
                if why != said {
                    tracing::warn!(why, "the shop waits for its database");
                    said = why;
                }
            }
        }
        sleep(PAUSE).await;
    }
}

enum OpenError {
    /// A retry does not help: the operator has to fix it.
    Permanent(StartupError),
    /// A retry may help.
    Retryable(String),
}

impl From<ports::StoreError> for OpenError {
    fn from(error: ports::StoreError) -> Self {
        match (ConnectFailure::of(&error), &error) {
            (ConnectFailure::Refused, _) => {
                Self::Permanent(StartupError::refused(format!("the database refuses DATABASE_URL: {}", reason(&error))))
            }
            (_, ports::StoreError::Internal(_)) => Self::Permanent(StartupError::internal(error_chain(&error))),
            (ConnectFailure::ReadOnly | ConnectFailure::Unavailable, _) => Self::Retryable(reason(&error)),
        }
    }
}

async fn attempt(database: &Database, requires_durability: bool) -> Result<(), OpenError> {
    database.wait(TRY).await?;
    let found = database.examine().await?;
    if found.read_only {
        return Err(OpenError::Retryable("the database takes no writes: is it a replica?".to_owned()));
    }
    if !is_close(found.clock) {
        let why = "the clocks of this machine and of the database are more than 30 s apart".to_owned();
        return Err(OpenError::Retryable(why));
    }
    if !database.is_direct() {
        set_role_timeouts(database).await;
    }
    judge(&found, requires_durability)?;
    if database.is_direct() && database.shares_sessions().await? {
        return Err(OpenError::Permanent(StartupError::refused(
            "DATABASE_URL leads through a pooler in transaction mode: set DATABASE_POOLER=transaction and DATABASE_DIRECT_URL, or let the pooler lend whole sessions",
        )));
    }
    for step in migrate(database).await? {
        tracing::info!(step, "the database was brought up to date");
    }
    Ok(())
}

fn judge(found: &Examination, requires_durability: bool) -> Result<(), OpenError> {
    let mut lines = found.refusals();
    let not_durable = found.not_durable();
    if requires_durability {
        lines.extend(not_durable);
    } else {
        for line in not_durable {
            tracing::warn!("{line}");
        }
    }
    for line in found.remarks() {
        tracing::warn!("{line}");
    }
    if !lines.is_empty() {
        return Err(OpenError::Permanent(StartupError::Refused(lines)));
    }
    if found.waits_for_a_standby() {
        tracing::info!(standbys = found.synchronous_standby_names, "a commit waits for a standby");
    } else {
        tracing::info!("a commit waits for no standby: what only the database's machine has is lost with it");
    }
    Ok(())
}

async fn migrate(database: &Database) -> Result<Vec<String>, OpenError> {
    if database.pending().await?.is_empty() {
        return Ok(Vec::new());
    }
    match database.migrate().await {
        Err(error @ ports::StoreError::Internal(_)) => Err(OpenError::Permanent(cannot_be_brought_up_to_date(&error))),
        other => Ok(other?),
    }
}

/// Behind a pooler the session's settings are not ours to set, so those of the role are set.
async fn set_role_timeouts(database: &Database) {
    match database.bound_role().await {
        Ok(set) if set.is_empty() => {}
        Ok(set) => tracing::info!(
            settings = set.join(", "),
            "the role's settings bound its statements from now on; sessions that the pooler holds already get them with RECONNECT"
        ),
        Err(error) => tracing::warn!(
            why = reason(&error),
            "the role's statements are not bounded: ALTER ROLE ... SET statement_timeout = '5s', lock_timeout = '3s', idle_in_transaction_session_timeout = '10s'"
        ),
    }
}
