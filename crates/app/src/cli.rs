//! The command line.

use std::path::Path;
use std::time::Duration;

use clap::{Parser, Subcommand};
use domain::Email;

use crate::admin::AdminCommand;
use crate::audit::AuditCommand;
use crate::search::SearchCommand;
use crate::startup_error::StartupError;
use crate::{admin, audit, config, demo, feed, private_postgres, search, serve, terminal, throwaway};

/// How long work that is still running may go on before the program ends without it.
const LAST_WORK: Duration = Duration::from_secs(2);

/// Driveline, a shop for vehicle parts in bulk.
#[derive(Debug, Parser)]
#[command(version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a shop to try out, with a Postgres, accounts and a catalogue of its own, on this machine alone
    Demo(demo::Arguments),
    /// Run the shop in production; every setting comes from the environment (see .env.example)
    Serve,
    #[command(about = "Bring the database that DATABASE_URL names up to date")]
    Migrate,
    /// Manage who runs the shop
    Admin {
        #[command(subcommand)]
        command: AdminCommand,
    },
    /// Check the trail of what admins changed
    Audit {
        #[command(subcommand)]
        command: AuditCommand,
    },
    #[command(about = "Change many products by a file, in the database that DATABASE_URL names or of a demo that runs")]
    Feed(feed::Arguments),
    #[command(about = "Manage the search engine that SEARCH_URL names")]
    Search {
        #[command(subcommand)]
        command: SearchCommand,
    },
    #[command(about = "Print the description of the HTTP interface, as OpenAPI JSON")]
    Openapi,
    #[command(
        about = "Run a command with a Postgres that lives no longer than it, named by DATABASE_URL and TEST_DATABASE_URL"
    )]
    Postgres(throwaway::Arguments),
}

/// Runs the given command, and returns its exit code.
pub(crate) fn run(cli: Cli) -> Result<u8, StartupError> {
    let environment = config::of_this_process();
    let done = |()| 0;
    match cli.command {
        Command::Demo(arguments) => {
            let settings = config::demo(&environment).map_err(StartupError::Refused)?;
            in_runtime(demo::run(arguments, settings)).map(done)
        }
        Command::Serve => {
            let settings = config::serve(&environment).map_err(StartupError::Refused)?;
            in_runtime(serve::run(settings)).map(done)
        }
        Command::Migrate => {
            let settings = config::console(&environment).map_err(StartupError::Refused)?;
            in_runtime(admin::migrate(settings)).map(done)
        }
        Command::Admin { command: AdminCommand::Grant { email, unverified } } => {
            let email = address(&email)?;
            let settings = config::console(&environment).map_err(StartupError::Refused)?;
            in_runtime(admin::grant(settings, email, unverified)).map(done)
        }
        Command::Admin { command: AdminCommand::ForgetSecondFactor { email } } => {
            let email = address(&email)?;
            let settings = config::console(&environment).map_err(StartupError::Refused)?;
            in_runtime(admin::forget_second_factor(settings, email)).map(done)
        }
        Command::Audit { command: AuditCommand::Verify(arguments) } => {
            let settings = console(&environment, arguments.data_dir.as_deref())?;
            in_runtime(audit::verify(arguments, settings))
        }
        Command::Feed(arguments) => {
            let settings = console(&environment, arguments.data_dir.as_deref())?;
            in_runtime(feed::run(arguments, settings))
        }
        Command::Search { command: SearchCommand::Rebuild } => {
            let settings = config::console(&environment).map_err(StartupError::Refused)?;
            in_runtime(search::rebuild(settings)).map(done)
        }
        Command::Openapi => terminal::say(&http_adapter::openapi()).map(done),
        Command::Postgres(arguments) => {
            let temporary = config::temporary_folders(&environment);
            in_runtime(throwaway::run(arguments, config::programs(&environment), temporary))
        }
    }
}

fn address(typed: &str) -> Result<Email, StartupError> {
    typed.parse().map_err(|_| StartupError::refused(format!("{typed:?} is no e-mail address")))
}

/// The settings of a command on the database that `DATABASE_URL` names, or on that of a demo that runs in a folder.
fn console(environment: &config::Environment, folder: Option<&Path>) -> Result<config::Console, StartupError> {
    let settings = match folder {
        None => config::console(environment),
        Some(folder) => {
            let url = private_postgres::running::url(folder, demo::DATABASE)
                .ok_or_else(|| StartupError::refused(format!("no demo runs in {}", folder.display())))?;
            config::console_of_demo(environment, url)
        }
    };
    settings.map_err(StartupError::Refused)
}

fn in_runtime<T>(work: impl Future<Output = Result<T, StartupError>>) -> Result<T, StartupError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| StartupError::internal(format!("cannot start the threads that do the work: {error}")))?;
    let done = runtime.block_on(work);
    runtime.shutdown_timeout(LAST_WORK);
    done
}
