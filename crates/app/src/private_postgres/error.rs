//! Why a private Postgres does not start or stop, each as one sentence for the user at the terminal.

use std::io;
use std::path::PathBuf;

/// Why the private Postgres did not start.
///
/// Every message names the folder or program and, if possible, a remedy. Only [`Self::Initialise`] and [`Self::Exited`]
/// have more than one line: they end with Postgres' own output.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    /// The data folder, or something in it, cannot be created or written.
    #[error("cannot write to {}: {source}", path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    /// Something in the data folder cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    /// Another process of this program has locked the data folder.
    #[error("{} is already in use{}; stop that one first, or choose another data folder", path.display(), by(*pid))]
    InUse {
        path: PathBuf,
        /// The process that holds it, if it could be read.
        pid: Option<u32>,
    },
    /// There are no Postgres programs on this machine.
    #[error(
        "found no Postgres programs (initdb and postgres): install the package postgresql, or run scripts/bootstrap"
    )]
    NoPrograms,
    /// There are Postgres programs, but none that runs.
    #[error("the Postgres programs in {} do not run: {reason}", bin.display())]
    BrokenPrograms {
        bin: PathBuf,
        /// The error of running them with `--version`.
        reason: String,
    },
    /// The Postgres programs are below a folder that the account which has to run them may not enter.
    #[error(
        "{account} may not run the Postgres programs in {}: allow it with `chmod o+x {}`, or install the package postgresql",
        bin.display(),
        blocked.display()
    )]
    ProgramsOutOfReach {
        bin: PathBuf,
        /// The first folder (or program) on the way that is not accessible.
        blocked: PathBuf,
        /// The account that Postgres has to run as.
        account: String,
    },
    /// The Postgres programs are older than what the shop's SQL needs.
    #[error("the Postgres programs in {} are version {found}; version {wanted} or newer is needed", bin.display())]
    TooOld {
        bin: PathBuf,
        found: u32,
        /// The oldest supported major version.
        wanted: u32,
    },
    /// The cluster was created by another major version of Postgres than the installed ones.
    #[error(
        "the data in {} was written by Postgres {cluster}, but only version {found} is installed: install Postgres {cluster}, or choose another data folder",
        path.display()
    )]
    OtherVersion {
        path: PathBuf,
        /// The major version that wrote it.
        cluster: u32,
        /// The installed major versions, for the message.
        found: String,
    },
    /// The cluster belongs to another user, and this process may not become that user.
    #[error("the data in {} belongs to user {owner}: run as that user or as root, or choose another data folder", path.display())]
    OthersData {
        path: PathBuf,
        /// The numeric id of its owner.
        owner: u32,
    },
    /// The folder of the cluster contains something else.
    #[error("{} is not a Postgres cluster: move it out of the way, or choose another data folder", path.display())]
    NotACluster { path: PathBuf },
    /// Postgres refuses to run as root, and there is no other account that it could run as.
    #[error(
        "Postgres does not run as root, and this machine has neither a user postgres nor a user nobody: run as an ordinary user"
    )]
    NoAccount,
    /// The account that Postgres runs as may not enter a folder above the cluster.
    #[error("Postgres runs as {account}, which may not enter {}: allow it with `chmod o+x {}`, or choose another data folder", folder.display(), folder.display())]
    NotEnterable {
        /// The folder that it may not enter.
        folder: PathBuf,
        account: String,
    },
    /// A Postgres of an earlier run does not stop.
    #[error("an earlier Postgres (process {pid}) still works in {} and does not stop: end it, then try again", path.display())]
    Leftover {
        /// One of its processes.
        pid: u32,
        /// Its cluster.
        path: PathBuf,
    },
    /// A Postgres program could not be started.
    #[error("cannot start {}: {source}", program.display())]
    Spawn { program: PathBuf, source: io::Error },
    /// A new cluster could not be created.
    #[error("could not make a Postgres cluster in {}:\n{output}", path.display())]
    Initialise {
        path: PathBuf,
        /// The last lines of the programs' output.
        output: String,
    },
    /// Postgres ended before it accepted connections.
    #[error("Postgres ended while it was starting; {} ends with:\n{tail}", log.display())]
    Exited { log: PathBuf, tail: String },
    /// Postgres runs but does not accept connections.
    #[error("Postgres did not take connections within {seconds} s; see {}", log.display())]
    Slow {
        log: PathBuf,
        /// How long the start was waited for.
        seconds: u64,
    },
    /// A system call that always works was refused.
    #[error("cannot {what}: {source}")]
    System {
        /// What was attempted.
        what: &'static str,
        source: io::Error,
    },
}

/// How a stop failed that was not a clean one. No acknowledged write is lost either way: Postgres replays its log at
/// the next start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StopError {
    /// It did not react to the first signal.
    #[error("Postgres did not shut down in time and had to be ended; it recovers at the next start")]
    Forced,
    /// It still runs.
    #[error("Postgres (process {pid}) does not end")]
    Remains { pid: u32 },
}

fn by(pid: Option<u32>) -> String {
    pid.map_or_else(String::new, |pid| format!(" by process {pid}"))
}
