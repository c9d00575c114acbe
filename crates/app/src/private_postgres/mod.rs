//! The private Postgres of `driveline demo` and `driveline postgres`.
//!
//! [`PrivatePostgres::start`] finds the Postgres programs of this machine, creates a cluster of its own below a data
//! folder, and runs a server on it as a direct child: no `pg_ctl`, no daemon, no fixed port that could be taken.
//!
//! What it promises:
//!
//! - It works for root (the server then runs as another account, which owns only the cluster) and for any other user.
//! - Whatever ends this process (`kill -9` included), no process stays behind, and the next start succeeds.
//! - A lock keeps two processes from using one folder; the second is refused and changes nothing.
//! - A cluster is there completely or not at all: it is created beside its place and moved there.
//! - A server that ends by itself, killed for example, is started again at the same address, unless it is a throwaway.
//!
//! **Architecture invariant:** nothing here reads the environment, writes to the terminal, or knows the shop.

mod account;
mod child;
mod cluster;
mod error;
mod folder;
mod leftovers;
mod programs;
pub(crate) mod running;
mod server;
mod supervisor;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;

pub(crate) use self::error::{StartError, StopError};

use self::account::Account;
use self::child::{Place, command};
use self::folder::{Folder, Password, fresh_folder, unwritable};
use self::programs::Programs;
use self::server::{Endpoint, Ready, Server};
use self::supervisor::Supervisor;

/// How long a server may take to accept connections; after a crash it first replays its log.
const START_TIMEOUT: Duration = Duration::from_mins(1);

/// How often another free port is tried if a process takes the first one.
const PORT_ATTEMPTS: u32 = 5;

/// The settings of a private Postgres.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// The folder of the data; created if it is missing. All files are in its subfolder `postgres`.
    pub(crate) data_dir: PathBuf,
    /// Folders to look for `initdb` and `postgres` in before any other.
    pub(crate) search: Vec<PathBuf>,
    /// The value of `PATH`, if there is one.
    pub(crate) path_variable: Option<OsString>,
    pub(crate) durability: Durability,
}

/// Whether committed writes have to survive a crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Durability {
    /// A commit survives a power failure.
    Durable,
    /// For tests: nothing is forced to disk, and stopping removes the subfolder `postgres`, and the data folder if it
    /// is then empty.
    Throwaway,
}

/// A running Postgres of our own. Dropping it stops it.
#[derive(Debug)]
pub(crate) struct PrivatePostgres {
    server: Supervisor,
    endpoint: Endpoint,
    password: Password,
    durability: Durability,
    data_dir: PathBuf,
    /// After `server`, so that the lock is released last.
    folder: Arc<Folder>,
    stopped: bool,
}

impl PrivatePostgres {
    /// Starts a Postgres on the cluster of the data folder, creating one if there is none, and waits until it accepts
    /// connections: about a second the first time, a tenth of one later.
    ///
    /// It has a role and a database `driveline`. The role may create more databases, and is a superuser only in a
    /// throwaway cluster.
    ///
    /// Blocks; the server does not depend on the calling thread afterwards.
    ///
    /// # Errors
    /// [`StartError`], each variant a sentence to show. Nothing is left running, and existing data is changed only as
    /// far as recovery requires.
    pub(crate) fn start(settings: &Settings) -> Result<Self, StartError> {
        let folder = Arc::new(Folder::claim(&settings.data_dir)?);
        let started = run(settings, &folder);
        if started.is_err() && settings.durability == Durability::Throwaway {
            discard(&settings.data_dir, &folder);
        }
        let (server, endpoint, password, restart) = started?;
        let mut server = Supervisor::of(server);
        if settings.durability == Durability::Durable {
            server.watch(move || restart.server())?;
        }
        Ok(Self {
            server,
            endpoint,
            password,
            durability: settings.durability,
            data_dir: settings.data_dir.clone(),
            folder,
            stopped: false,
        })
    }

    /// The URL of `database` on this server, password included.
    pub(crate) fn url(&self, database: &str) -> String {
        self.endpoint.url(self.password.as_str(), database)
    }

    /// Stops the server and waits until it has ended. Open connections are cut.
    ///
    /// # Errors
    /// [`StopError`] if it did not end on the first signal; committed data is safe in any case.
    pub(crate) fn stop(mut self) -> Result<(), StopError> {
        self.end()
    }

    fn end(&mut self) -> Result<(), StopError> {
        if self.stopped {
            return Ok(());
        }
        self.stopped = true;
        let ended = self.server.stop();
        // After anything but a clean stop, the server's own children need a moment to notice.
        leftovers::gone_within(&self.folder.cluster(), Duration::from_secs(5));
        if self.durability == Durability::Throwaway {
            discard(&self.data_dir, &self.folder);
        }
        ended
    }
}

impl Drop for PrivatePostgres {
    fn drop(&mut self) {
        // The error cannot be reported here; callers that need it call `stop`.
        let _ = self.end();
    }
}

fn run(settings: &Settings, folder: &Arc<Folder>) -> Result<(Server, Endpoint, Password, Restart), StartError> {
    let path = folder.cluster();
    let version = cluster::version(&path)?;
    let account = Account::choose(&path)?;
    let programs = programs::find(&settings.search, settings.path_variable.as_deref(), &account, &path, version)?;
    let password = if version.is_some() {
        account.adopt(&path).map_err(unwritable(&path))?;
        leftovers::clear(&path)?;
        if let Some(password) = folder.stored_password()? {
            password
        } else {
            let password = Password::generate()?;
            cluster::reset_password(folder, &programs, &account, &password, settings.durability)?;
            // Only now: a stored password must be one that works.
            folder.store(&password)?;
            password
        }
    } else {
        let password = Password::generate()?;
        folder.store(&password)?;
        cluster::create(folder, &programs, &account, &password, settings.durability)?;
        password
    };
    let place = Place::of(&folder.cluster(), &account)?;
    let start = Start { folder: Arc::clone(folder), programs, account, place, durability: settings.durability };
    let (server, endpoint) = serve(&start)?;
    Ok((server, endpoint.clone(), password, Restart { start, endpoint }))
}

/// What a server is started with.
struct Start {
    folder: Arc<Folder>,
    programs: Programs,
    account: Account,
    place: Place,
    durability: Durability,
}

impl Start {
    /// Starts a server that is to listen at this endpoint. Returns where in the log it begins as well.
    fn spawn(&self, endpoint: &Endpoint) -> Result<(Server, u64), StartError> {
        let (log, begin) = self.folder.open_log()?;
        let mut postgres = command(&self.programs.postgres, None, &self.place, &self.account, Signal::INT);
        configure(&mut postgres, self.durability);
        endpoint.configure(&mut postgres);
        let errors = log.try_clone().map_err(unwritable(&self.folder.log()))?;
        postgres.stdout(log).stderr(errors);
        let server = Server::spawn(postgres)
            .map_err(|source| StartError::Spawn { program: self.programs.postgres.clone(), source })?;
        Ok((server, begin))
    }
}

/// Starts a server again where the one before it listened.
struct Restart {
    start: Start,
    endpoint: Endpoint,
}

impl Restart {
    fn server(&self) -> Result<Server, StartError> {
        leftovers::clear(&self.start.folder.cluster())?;
        self.start.spawn(&self.endpoint).map(|(server, _)| server)
    }
}

fn serve(start: &Start) -> Result<(Server, Endpoint), StartError> {
    let folder = &*start.folder;
    let mut attempts = 0;
    loop {
        attempts += 1;
        let endpoint = match socket(folder, &start.place, &start.account)? {
            Some(socket) => socket,
            None => Endpoint::free_port()?,
        };
        let (server, begin) = start.spawn(&endpoint)?;
        match server.wait_until_ready(&endpoint, START_TIMEOUT) {
            Ready::Yes => return Ok((server, endpoint)),
            Ready::NotInTime => {
                // The start has failed either way.
                let _ = server.stop();
                return Err(StartError::Slow { log: folder.log(), seconds: START_TIMEOUT.as_secs() });
            }
            Ready::Ended => {
                let tail = folder.log_tail(begin);
                let somebody_was_quicker =
                    matches!(endpoint, Endpoint::Loopback(_)) && tail.contains("Address already in use");
                if !somebody_was_quicker || attempts == PORT_ATTEMPTS {
                    return Err(StartError::Exited { log: folder.log(), tail });
                }
            }
        }
    }
}

/// A socket in a new folder of its own that the account can access; leftovers of a dead server are removed.
fn socket(folder: &Folder, place: &Place, account: &Account) -> Result<Option<Endpoint>, StartError> {
    if !place.is_reachable_by_path() {
        return Ok(None);
    }
    let sockets = folder.sockets();
    fresh_folder(&sockets).and_then(|()| account.own(&sockets)).map_err(unwritable(&sockets))?;
    Ok(Endpoint::socket(&sockets))
}

/// Settings for a small shop on a machine with other tasks. They are passed at every start, so that a cluster never
/// keeps those of an older version of this program.
fn configure(postgres: &mut Command, durability: Durability) {
    let always = [
        "cluster_name=driveline",
        "max_connections=200",
        "shared_buffers=64MB",
        "min_wal_size=64MB",
        "max_wal_size=512MB",
        // A private server has no replicas.
        "wal_level=minimal",
        "max_wal_senders=0",
        // Compiling a shop's short queries costs more than running them.
        "jit=off",
        "timezone=UTC",
        "log_timezone=UTC",
        "lc_messages=C",
        "log_destination=stderr",
        "logging_collector=off",
        "log_checkpoints=off",
    ];
    let careless = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];
    let careful = ["fsync=on", "synchronous_commit=on", "full_page_writes=on"];
    let by_durability = match durability {
        Durability::Durable => careful,
        Durability::Throwaway => careless,
    };
    for setting in always.into_iter().chain(by_durability) {
        postgres.args(["-c", setting]);
    }
}

/// Removes the files of a throwaway server.
fn discard(data_dir: &Path, folder: &Folder) {
    // Files left in a temporary folder are no reason to fail what ran before; the data folder stays if it has other
    // contents.
    let _ = folder::remove(folder.root());
    let _ = fs::remove_dir(data_dir);
}
