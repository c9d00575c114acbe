//! What may keep a private Postgres from starting or stopping, each as one sentence for the person at the terminal.

use std::io;
use std::path::PathBuf;

/// Why the private Postgres did not start.
///
/// Every message names the folder or program it is about and, where there is one, the way out. Only
/// [`Self::Initialise`] and [`Self::Exited`] have more than one line: they end with what Postgres itself said.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    /// The data folder, or something in it, can be neither made nor written.
    #[error("cannot write to {}: {source}", path.display())]
    Unwritable {
        /// What could not be made or written.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Something in the data folder cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// What could not be read.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process of this program holds the data folder.
    #[error("{} is already in use{}; stop that one first, or choose another data folder", path.display(), by(*pid))]
    InUse {
        /// The data folder.
        path: PathBuf,
        /// Who holds it, if it has said so.
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
        /// Their folder.
        bin: PathBuf,
        /// What happened when they were asked for their version.
        reason: String,
    },
    /// The Postgres programs stand behind a folder that the account which must run them may not enter.
    #[error(
        "{account} may not run the Postgres programs in {}: allow it with `chmod o+x {}`, or install the package postgresql",
        bin.display(),
        blocked.display()
    )]
    ProgramsOutOfReach {
        /// The programs' folder.
        bin: PathBuf,
        /// The first folder (or program) on the way that is closed.
        blocked: PathBuf,
        /// The account that Postgres has to run as.
        account: String,
    },
    /// The Postgres programs are older than what the shop's SQL needs.
    #[error("the Postgres programs in {} are version {found}; version {wanted} or newer is needed", bin.display())]
    TooOld {
        /// Their folder.
        bin: PathBuf,
        /// Their major version.
        found: u32,
        /// The oldest major version that will do.
        wanted: u32,
    },
    /// The cluster was made by another major version of Postgres than the ones found.
    #[error(
        "the data in {} was written by Postgres {cluster}, but only version {found} is installed: install Postgres {cluster}, or choose another data folder",
        path.display()
    )]
    OtherVersion {
        /// The cluster.
        path: PathBuf,
        /// The major version that wrote it.
        cluster: u32,
        /// The major versions found, for the message.
        found: String,
    },
    /// The cluster belongs to another user, and this process may not become that user.
    #[error("the data in {} belongs to user {owner}: run as that user or as root, or choose another data folder", path.display())]
    OthersData {
        /// The cluster.
        path: PathBuf,
        /// The numeric id of its owner.
        owner: u32,
    },
    /// The folder that should hold the cluster holds something else.
    #[error("{} is not a Postgres cluster: move it out of the way, or choose another data folder", path.display())]
    NotACluster {
        /// The folder.
        path: PathBuf,
    },
    /// Postgres refuses to run as root, and there is nobody else it could run as.
    #[error(
        "Postgres does not run as root, and this machine has neither a user postgres nor a user nobody: run as an ordinary user"
    )]
    NoAccount,
    /// The account that Postgres runs as may not enter a folder above the cluster.
    #[error("Postgres runs as {account}, which may not enter {}: allow it with `chmod o+x {}`, or choose another data folder", folder.display(), folder.display())]
    NotEnterable {
        /// The closed folder.
        folder: PathBuf,
        /// The account.
        account: String,
    },
    /// A Postgres that an earlier run left behind would not go.
    #[error("an earlier Postgres (process {pid}) still works in {} and does not stop: end it, then try again", path.display())]
    Leftover {
        /// One of its processes.
        pid: u32,
        /// The cluster it works in.
        path: PathBuf,
    },
    /// A Postgres program could not be started at all.
    #[error("cannot start {}: {source}", program.display())]
    Spawn {
        /// The program.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A new cluster could not be made.
    #[error("could not make a Postgres cluster in {}:\n{output}", path.display())]
    Initialise {
        /// Where.
        path: PathBuf,
        /// The last lines of what the programs said.
        output: String,
    },
    /// Postgres gave up before it took connections.
    #[error("Postgres ended while it was starting; {} ends with:\n{tail}", log.display())]
    Exited {
        /// Its log.
        log: PathBuf,
        /// The last lines of the log.
        tail: String,
    },
    /// Postgres lives but takes no connections.
    #[error("Postgres did not take connections within {seconds} s; see {}", log.display())]
    Slow {
        /// Its log.
        log: PathBuf,
        /// How long it was waited for.
        seconds: u64,
    },
    /// Something that every machine has was refused.
    #[error("cannot {what}: {source}")]
    System {
        /// What was asked for.
        what: &'static str,
        /// Why it was refused.
        source: io::Error,
    },
}

/// How a stop went that was not a clean one. Nothing that was acknowledged is lost either way: Postgres replays its
/// log at the next start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StopError {
    /// It took more than a polite request.
    #[error("Postgres did not shut down in time and had to be ended; it recovers at the next start")]
    Forced,
    /// It is still there.
    #[error("Postgres (process {pid}) does not end")]
    Remains {
        /// The process.
        pid: u32,
    },
}

fn by(pid: Option<u32>) -> String {
    pid.map_or_else(String::new, |pid| format!(" by process {pid}"))
}
