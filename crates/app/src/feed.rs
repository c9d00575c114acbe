//! `driveline feed`: a file that changes many products, from the command line.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use application::{Failure, FeedUpload, Feeds, SendFeed, UploadRefused};
use clap::Args;
use domain::{ApplyRefused, FeedConsent, FeedKind, FeedMode, FeedState};
use persistence::Database;
use ports::{FeedDetails, FeedRepository, StoreError, error_chain};

use crate::clock::TimeOrderedIds;
use crate::config::Console;
use crate::database::connect;
use crate::startup_error::StartupError;
use crate::telemetry::{self, LogFormat};
use crate::terminal::say;
use crate::vehicle_names::EmbeddedVehicles;

/// Bytes that are read of the file at once.
const PIECE: usize = 64 * 1_024;
/// Findings that are printed.
const PRINTED: usize = 20;
/// How long to wait for an instance of the shop that works on the feed.
const PAUSE: Duration = Duration::from_millis(200);

/// The arguments of `driveline feed`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The file: CSV with a header
    file: PathBuf,
    /// What it changes: products, stock, prices, numbers or fitment
    #[arg(long, value_parser = kind)]
    kind: FeedKind,
    /// What it does with rows that match nothing: update, upsert or replace
    #[arg(long, value_parser = mode, default_value = "update")]
    mode: FeedMode,
    /// Only check the file
    #[arg(long)]
    dry_run: bool,
    /// Leave out rows that are refused
    #[arg(long)]
    partial: bool,
    /// Agree that so many are archived, if they are much of a brand
    #[arg(long, value_name = "NUMBER")]
    confirm_archived: Option<u64>,
    #[arg(long, value_name = "DIR", help = "The data folder of a demo that runs; DATABASE_URL without it")]
    pub(crate) data_dir: Option<PathBuf>,
}

fn kind(name: &str) -> Result<FeedKind, &'static str> {
    name.parse().map_err(|_| "it is products, stock, prices, numbers or fitment")
}

fn mode(name: &str) -> Result<FeedMode, &'static str> {
    name.parse().map_err(|_| "it is update, upsert or replace")
}

/// Sends the file, works on it unless an instance of the shop does, and reports what became of it. Exit code 1 if something
/// is refused.
pub(crate) async fn run(arguments: Arguments, settings: Console) -> Result<u8, StartupError> {
    let file = File::open(&arguments.file).map_err(|error| unreadable(&arguments.file, &error))?;
    let database = connect(&settings.database).await?;
    telemetry::log(LogFormat::Person, settings.log);
    let shared = Arc::new(database.clone());
    let (ids, vehicles) = (Arc::new(TimeOrderedIds), Arc::new(EmbeddedVehicles));
    let feeds = Feeds::of(shared.clone(), shared, ids, vehicles, settings.feeds);
    let name = arguments.file.file_name().map(|name| name.to_string_lossy().into_owned());
    let consent = FeedConsent { partial: arguments.partial, confirm_archived: arguments.confirm_archived };
    let (kind, mode, dry_run) = (arguments.kind, arguments.mode, arguments.dry_run);
    let sending = SendFeed { kind, mode, name, dry_run, consent, idempotency_key: None };
    let upload = feeds.send_from_console(sending).await.map_err(refused)?;
    let upload = upload.map_err(|_| StartupError::internal("a feed without a key was sent before"))?;
    let feed = send(upload, file, &arguments.file).await?;
    let details = settle(&database, &feeds, feed).await?;
    report(&details, &arguments)
}

fn unreadable(path: &Path, error: &std::io::Error) -> StartupError {
    StartupError::refused(format!("cannot read {}: {error}", path.display()))
}

fn refused(failure: Failure<UploadRefused>) -> StartupError {
    match failure {
        Failure::Refused(refused) => StartupError::refused(refused.to_string()),
        other => StartupError::internal(error_chain(&other)),
    }
}

fn failed(error: &StoreError) -> StartupError {
    StartupError::internal(error_chain(error))
}

async fn send(mut upload: FeedUpload, mut file: File, path: &Path) -> Result<i32, StartupError> {
    let mut piece = vec![0; PIECE];
    loop {
        let sent = match file.read(&mut piece) {
            Ok(0) => return upload.end().await.map_err(refused),
            Ok(read) => upload.piece(&piece[..read]).await.map_err(refused),
            Err(error) => Err(unreadable(path, &error)),
        };
        if let Err(error) = sent {
            upload.abandon().await.map_err(|error| failed(&error))?;
            return Err(error);
        }
    }
}

async fn settle(database: &Database, feeds: &Feeds, feed: i32) -> Result<FeedDetails, StartupError> {
    loop {
        feeds.work().await.map_err(|error| failed(&error))?;
        let details = database.find(feed).await.map_err(|error| failed(&error))?;
        let details = details.ok_or_else(|| StartupError::internal("the feed is gone"))?;
        match details.feed.state {
            FeedState::Waiting | FeedState::Reading | FeedState::Applying => tokio::time::sleep(PAUSE).await,
            _ => return Ok(details),
        }
    }
}

fn report(details: &FeedDetails, arguments: &Arguments) -> Result<u8, StartupError> {
    let FeedDetails { feed, findings, .. } = details;
    let counts = feed.counts;
    say(&format!(
        "Feed {}: {} rows, {} added, {} changed, {} same, {} refused, {} archived.",
        feed.id, counts.rows, counts.added, counts.changed, counts.same, counts.refused, counts.archived
    ))?;
    for finding in findings.iter().take(PRINTED) {
        let field = if finding.field.is_empty() { String::new() } else { format!(", {}", finding.field) };
        say(&format!("  line {}{field}: {}", finding.line, finding.message))?;
    }
    let more = feed.findings.saturating_sub(u64::try_from(PRINTED.min(findings.len())).unwrap_or_default());
    if more > 0 {
        say(&format!("  and {more} more."))?;
    }
    let consent = FeedConsent { partial: arguments.partial, confirm_archived: arguments.confirm_archived };
    match (feed.state, counts.may_apply(feed.archives_much, consent)) {
        (FeedState::Applied, _) => say("It is applied."),
        (FeedState::Checked, Ok(())) => say("Nothing was changed: this was a dry run."),
        (FeedState::Checked, Err(ApplyRefused::ArchivesMuch { archived })) => {
            say(&format!("Nothing was changed: add --confirm-archived {archived} if that is meant."))
        }
        (FeedState::Checked, Err(_)) => {
            say("Nothing was changed: correct these rows, or leave them out with --partial.")
        }
        (_, _) => say(&format!("Nothing was changed. {}", feed.error.as_deref().unwrap_or_default())),
    }?;
    let is_good = match feed.state {
        FeedState::Applied => true,
        FeedState::Checked => feed.dry_run && counts.refused == 0,
        _ => false,
    };
    Ok(u8::from(!is_good))
}
