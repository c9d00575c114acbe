//! Creates a cluster, with the one role and database in it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use rustix::process::Signal;

use super::Durability;
use super::account::Account;
use super::child::{Place, command};
use super::error::StartError;
use super::folder::{Folder, Password, fresh_folder, last_lines, unreadable, unwritable};
use super::leftovers;
use super::programs::Programs;

/// The role that the shop connects as, and the database it uses.
pub(super) const NAME: &str = "driveline";

/// Only that role may connect, and only by password: the superuser that `initdb` creates cannot connect at all.
const WHO_MAY_CONNECT: &str = "\
local all driveline scram-sha-256
host all driveline 127.0.0.1/32 scram-sha-256
";

/// How long the leftovers of an interrupted attempt may take to end.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// The major version that wrote the cluster at `path`, or `None` if there is no cluster yet.
pub(super) fn version(path: &Path) -> Result<Option<u32>, StartError> {
    if !path.try_exists().map_err(unreadable(path))? {
        return Ok(None);
    }
    let file = path.join("PG_VERSION");
    match fs::read_to_string(&file) {
        Ok(text) => match text.trim().parse() {
            Ok(version) => Ok(Some(version)),
            Err(_) => Err(not_a_cluster(path)),
        },
        Err(missing) if matches!(missing.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Err(not_a_cluster(path))
        }
        Err(source) => Err(StartError::Unreadable { path: file, source }),
    }
}

/// Creates the cluster of `folder` beside its final place and moves it there once it is complete, so that an attempt
/// that was interrupted at any point can simply be repeated.
pub(super) fn create(
    folder: &Folder,
    programs: &Programs,
    account: &Account,
    password: &Password,
    durability: Durability,
) -> Result<(), StartError> {
    let unfinished = folder.unfinished_cluster();
    leftovers::gone_within(&unfinished, STOP_TIMEOUT);
    let place = initialise(&unfinished, programs, account, durability)?;
    fs::write(unfinished.join("pg_hba.conf"), WHO_MAY_CONNECT).map_err(unwritable(&unfinished))?;
    let rights = match durability {
        Durability::Durable => "CREATEDB",
        // A test of a constraint has to be able to drop it and insert what it forbids.
        Durability::Throwaway => "SUPERUSER",
    };
    let statements = [
        format!("CREATE ROLE {NAME} LOGIN {rights} PASSWORD '{}'", password.as_str()),
        format!("CREATE DATABASE {NAME} OWNER {NAME}"),
    ];
    single_user(&unfinished, programs, &place, account, durability, &statements)?;
    fs::rename(&unfinished, folder.cluster()).map_err(unwritable(&unfinished))?;
    if durability == Durability::Durable {
        File::open(folder.root()).and_then(|root| root.sync_all()).map_err(unwritable(folder.root()))?;
    }
    Ok(())
}

/// Gives the shop's role in the existing cluster a new password, for when the file with the old one is lost.
pub(super) fn reset_password(
    folder: &Folder,
    programs: &Programs,
    account: &Account,
    password: &Password,
    durability: Durability,
) -> Result<(), StartError> {
    let cluster = folder.cluster();
    let place = Place::of(&cluster, account)?;
    let statement = format!("ALTER ROLE {NAME} PASSWORD '{}'", password.as_str());
    single_user(&cluster, programs, &place, account, durability, &[statement])
}

/// Runs `initdb` in a new folder at `path`, and returns how to reach it.
fn initialise(
    path: &Path,
    programs: &Programs,
    account: &Account,
    durability: Durability,
) -> Result<Place, StartError> {
    let mut complaint = String::new();
    // Case-insensitive search needs a locale that knows characters beyond ASCII; not every machine has one.
    for locale in ["C.UTF-8", "C"] {
        fresh_folder(path).and_then(|()| account.own(path)).map_err(unwritable(path))?;
        let place = Place::of(path, account)?;
        let mut initdb = command(&programs.initdb, None, &place, account, Signal::TERM);
        initdb
            .args(["--username=postgres", "--auth=reject", "--encoding=UTF8"])
            .args(["--data-checksums", "--no-instructions"])
            .arg(format!("--locale={locale}"));
        if durability == Durability::Throwaway {
            initdb.arg("--no-sync");
        }
        let output = initdb.output().map_err(cannot_spawn(&programs.initdb))?;
        if output.status.success() {
            return Ok(place);
        }
        complaint = said(&output);
    }
    Err(StartError::Initialise { path: path.to_owned(), output: complaint })
}

/// Runs statements in single-user mode, without a network and without a password.
fn single_user(
    path: &Path,
    programs: &Programs,
    place: &Place,
    account: &Account,
    durability: Durability,
    statements: &[String],
) -> Result<(), StartError> {
    let mut postgres = command(&programs.postgres, Some("--single"), place, account, Signal::TERM);
    postgres
        .args(["-c", "exit_on_error=on"])
        .args(["-c", "password_encryption=scram-sha-256"])
        // The statements contain the password; the output of a failure must not.
        .args(["-c", "log_min_error_statement=panic"])
        .args(["-c", if durability == Durability::Durable { "fsync=on" } else { "fsync=off" }])
        .arg("postgres")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = postgres.spawn().map_err(cannot_spawn(&programs.postgres))?;
    if let Some(mut input) = child.stdin.take() {
        // A server that failed stops reading; the reason is in its output.
        let _ = input.write_all(format!("{}\n", statements.join("\n")).as_bytes());
    }
    let output = child.wait_with_output().map_err(cannot_spawn(&programs.postgres))?;
    if output.status.success() {
        return Ok(());
    }
    Err(StartError::Initialise { path: path.to_owned(), output: said(&output) })
}

fn cannot_spawn(program: &Path) -> impl FnOnce(io::Error) -> StartError {
    let program = program.to_owned();
    move |source| StartError::Spawn { program, source }
}

fn said(output: &Output) -> String {
    let both = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    last_lines(&String::from_utf8_lossy(&both))
}

fn not_a_cluster(path: &Path) -> StartError {
    StartError::NotACluster { path: path.to_owned() }
}
