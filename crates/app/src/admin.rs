//! Commands that an operator runs on a shop's database.

use clap::Subcommand;
use domain::{Email, Role};
use ports::{AccountRepository, RoleChange, RoleGrant, SecondFactors, error_chain};

use crate::config::Console;
use crate::database::{bring_up_to_date, connect};
use crate::startup_error::StartupError;
use crate::telemetry::{self, LogFormat};
use crate::terminal::say;
use crate::wiring::clock;

/// The arguments of `driveline admin`.
#[derive(Debug, Subcommand)]
pub(crate) enum AdminCommand {
    /// Make an account an admin
    Grant {
        /// The account's e-mail address
        email: String,
        /// Even if the address has not been confirmed
        #[arg(long)]
        unverified: bool,
    },
    /// Remove an account's passkeys, authenticator app and recovery codes, and end its sessions: for somebody who has lost
    /// them all
    ForgetSecondFactor {
        /// The account's e-mail address
        email: String,
    },
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
        Err(error) => Err(StartupError::internal(error_chain(&error))),
    }
}

/// `driveline admin forget-second-factor EMAIL`: the way back for somebody who has lost all that they prove themselves with.
pub(crate) async fn forget_second_factor(settings: Console, email: Email) -> Result<(), StartupError> {
    let database = connect(&settings.database).await?;
    telemetry::log(LogFormat::Person, settings.log);
    match database.forget_all(&email, clock().now()).await {
        Ok(Some(true)) => say(&format!("{email} has no second factor any more, and is signed out everywhere.")),
        Ok(Some(false)) => say(&format!("{email} had no second factor.")),
        Ok(None) => Err(StartupError::refused(format!("nobody has signed up as {email}"))),
        Err(error) => Err(StartupError::internal(error_chain(&error))),
    }
}
