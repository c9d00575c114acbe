//! `driveline postgres`: a command, and a Postgres that stops when the command ends.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use clap::Args;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::process::{Child, Command};

use crate::config::Programs;
use crate::private_postgres::{Durability, PrivatePostgres, Settings};
use crate::signals::{Asked, Signals};
use crate::startup_error::StartupError;

/// The database that the command uses.
const DATABASE: &str = "driveline";
/// Where Linux keeps files in memory, and how many bytes have to be free there, and in memory, for the data to be put there.
const MEMORY: &str = "/dev/shm";
const ROOM: u64 = 8 << 30;

/// The arguments of `driveline postgres`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Where the data is kept meanwhile; if left out, a temporary folder: in memory, if TMPDIR is not set and there is room
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// The command and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Runs the command and returns its exit code; 128 plus the signal's number if a signal ended it, as in a shell.
pub(crate) async fn run(
    arguments: Arguments,
    programs: Programs,
    temporary: Option<PathBuf>,
) -> Result<u8, StartupError> {
    let mut signals =
        Signals::listen().map_err(|error| StartupError::internal(format!("cannot listen for signals: {error}")))?;
    let place = Place::choose(arguments.data_dir, temporary)?;
    let settings = Settings {
        data_dir: place.path().to_owned(),
        search: programs.search,
        path_variable: programs.path_variable,
        durability: Durability::Throwaway,
    };
    let postgres = PrivatePostgres::start(&settings).map_err(|refused| StartupError::refused(refused.to_string()))?;
    let url = postgres.url(DATABASE);
    let Some((program, rest)) = arguments.command.split_first() else {
        return Err(StartupError::refused("which command?"));
    };
    let mut command = Command::new(program);
    command.args(rest).env("DATABASE_URL", &url).env("TEST_DATABASE_URL", &url);
    let ended = match command.spawn() {
        Ok(mut child) => wait(&mut child, &mut signals).await,
        Err(error) => Err(StartupError::refused(format!("cannot run {}: {error}", Path::new(program).display()))),
    };
    // What it could not remove is in a temporary folder; the exit code of the command is what counts.
    if let Err(error) = postgres.stop() {
        tracing::warn!(%error, "stopping Postgres");
    }
    ended.map(code)
}

async fn wait(child: &mut Child, signals: &mut Signals) -> Result<ExitStatus, StartupError> {
    loop {
        tokio::select! {
            ended = child.wait() => {
                return ended.map_err(|error| StartupError::internal(format!("cannot wait for the command: {error}")));
            }
            asked = signals.next() => pass_on(child, asked),
        }
    }
}

/// Forwards our signal to the command. Ctrl-C in a terminal has reached it already, and a second one means something
/// else.
fn pass_on(child: &Child, asked: Asked) {
    let signal = match asked {
        Asked::Interrupt if terminal_sends_to_us() => return,
        Asked::Interrupt => Signal::INT,
        Asked::Terminate => Signal::TERM,
        Asked::HangUp => Signal::HUP,
    };
    let id = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    if let Some(id) = id {
        // It may just have ended; then the wait reports it.
        let _ = kill_process(id, signal);
    }
}

/// Whether our process group, which the command shares, is the terminal's foreground group.
fn terminal_sends_to_us() -> bool {
    rustix::termios::tcgetpgrp(std::io::stdin()).is_ok_and(|group| group == rustix::process::getpgrp())
}

fn code(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// Where the data is in the meantime.
enum Place {
    Temporary(TempDir),
    Named(PathBuf),
}

impl Place {
    fn choose(named: Option<PathBuf>, temporary: Option<PathBuf>) -> Result<Self, StartupError> {
        if let Some(folder) = named {
            // The data is removed when the command ends, so the folder must not be that of an existing shop.
            let found = folder.join("postgres");
            if found.symlink_metadata().is_ok() {
                let found = found.display();
                return Err(StartupError::refused(format!(
                    "{found} holds data already: choose a folder that may be emptied"
                )));
            }
            return Ok(Self::Named(folder));
        }
        let among = temporary.or_else(|| has_room().then(|| PathBuf::from(MEMORY)));
        let mut builder = tempfile::Builder::new();
        builder.prefix("driveline-");
        let folder = among.map_or_else(|| builder.tempdir(), |among| builder.tempdir_in(among));
        let folder =
            folder.map_err(|error| StartupError::refused(format!("cannot make a temporary folder: {error}")))?;
        // If we are root, Postgres runs as another account, which needs access to its socket in here.
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).map_err(|error| {
            StartupError::internal(format!("cannot open {} to Postgres: {error}", folder.path().display()))
        })?;
        Ok(Self::Temporary(folder))
    }

    fn path(&self) -> &Path {
        match self {
            Self::Temporary(folder) => folder.path(),
            Self::Named(folder) => folder,
        }
    }
}

/// Whether the data may be in memory: nobody needs it after a crash, and a test that makes a database of its own spends a good
/// part of its time on writing files.
fn has_room() -> bool {
    let files = rustix::fs::statvfs(MEMORY).map_or(0, |found| found.f_bavail.saturating_mul(found.f_frsize));
    let memory = std::fs::read_to_string("/proc/meminfo").ok().and_then(|info| available(&info)).unwrap_or(0);
    files >= ROOM && memory >= ROOM
}

/// The bytes of memory that are available, from what `/proc/meminfo` says.
fn available(info: &str) -> Option<u64> {
    let said = info.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    said.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_available_memory_is_read_as_the_kernel_writes_it() {
        let info = "MemTotal:       24576000 kB\nMemFree:          512000 kB\nMemAvailable:   20480000 kB\n";
        assert_eq!(available(info), Some(20_480_000 * 1024));
        for odd in ["", "MemAvailable: many kB", "MemAvailable: 5", "MemAvailable: 18446744073709551615 kB"] {
            assert_eq!(available(odd), None, "{odd}");
        }
    }
}
