//! `driveline audit`: commands on the trail of what admins changed.

use std::path::PathBuf;
use std::sync::Arc;

use application::Audit;
use clap::Subcommand;
use domain::AuditMark;
use ports::error_chain;

use crate::config::Console;
use crate::database::connect;
use crate::startup_error::StartupError;
use crate::telemetry::{self, LogFormat};
use crate::terminal::say;

/// The arguments of `driveline audit`.
#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Recompute the hash of every entry, and name the first one that does not fit
    Verify(Verify),
}

/// The arguments of `driveline audit verify`.
#[derive(Debug, clap::Args)]
pub(crate) struct Verify {
    /// What an earlier check printed: nothing up to that entry may have changed (may be given more than once)
    #[arg(long, value_name = "NUMBER:HASH")]
    expect: Vec<AuditMark>,
    #[arg(long, value_name = "DIR", help = "The data folder of a demo that runs; DATABASE_URL without it")]
    pub(crate) data_dir: Option<PathBuf>,
}

/// `driveline audit verify`. Exit code 1 if the trail was tampered with.
pub(crate) async fn verify(arguments: Verify, settings: Console) -> Result<u8, StartupError> {
    let database = connect(&settings.database).await?;
    telemetry::log(LogFormat::Person, settings.log);
    let audit = Audit::of(Arc::new(database));
    let verdict = audit.verify(arguments.expect).await.map_err(|error| StartupError::internal(error_chain(&error)))?;
    let Some(broken) = verdict.broken else {
        say(&format!("{} entries, and every one fits. The newest is", verdict.end.number))?;
        say(&verdict.end.to_string())?;
        return Ok(0);
    };
    say(&format!("The audit trail does not hold: {broken}."))?;
    say(&format!("The {} entries before it fit.", verdict.end.number))?;
    Ok(1)
}
