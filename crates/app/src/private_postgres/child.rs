//! Postgres' programs as child processes that never outlive this one.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use rustix::io::{Errno, FdFlags, fcntl_setfd};
use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};

use super::account::Account;
use super::error::StartError;
use super::folder::unreadable;

/// How a Postgres program is given the location of a cluster.
#[derive(Debug, Clone)]
pub(super) enum Place {
    /// By its path.
    Path(PathBuf),
    /// By an inherited descriptor: for a cluster below a folder that root may enter and the account may not.
    Descriptor(Arc<OwnedFd>),
}

impl Place {
    /// The way by which `account` reaches the existing folder `cluster`.
    pub(super) fn of(cluster: &Path, account: &Account) -> Result<Self, StartError> {
        let above = cluster.parent().unwrap_or(cluster);
        let Some(folder) = account.blocked_on_the_way_to(above) else {
            return Ok(Self::Path(cluster.to_owned()));
        };
        if !Path::new("/proc/self/fd").is_dir() {
            return Err(StartError::NotEnterable { folder, account: account.name() });
        }
        let opened = std::fs::File::open(cluster).map_err(unreadable(cluster))?;
        Ok(Self::Descriptor(Arc::new(opened.into())))
    }

    /// Whether the account can reach the cluster, and its neighbours, by path.
    pub(super) fn is_reachable_by_path(&self) -> bool {
        matches!(self, Self::Path(_))
    }

    fn argument(&self) -> PathBuf {
        match self {
            Self::Path(path) => path.clone(),
            Self::Descriptor(descriptor) => PathBuf::from(format!("/proc/self/fd/{}", descriptor.as_raw_fd())),
        }
    }
}

/// A command that runs `program` on the cluster at `place` as `account`.
/// It gets nothing of our environment and no Ctrl-C of our terminal, and receives `last_word` when the *thread* that
/// spawns it ends (prctl(2), `PR_SET_PDEATHSIG`): spawn it from one that outlives it. `mode` comes before all other
/// arguments, where `postgres` wants its `--single`.
pub(super) fn command(
    program: &Path,
    mode: Option<&str>,
    place: &Place,
    account: &Account,
    last_word: Signal,
) -> Command {
    let mut command = Command::new(program);
    command
        .args(mode)
        .arg("-D")
        .arg(place.argument())
        .env_clear()
        // initdb runs the shell and `locale` to learn about the machine.
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("LC_ALL", "C")
        .env("TZ", "UTC")
        .current_dir("/")
        .stdin(Stdio::null())
        .process_group(0);
    if let Account::Other { uid, gid, .. } = account {
        // With a user id and no groups, the standard library drops root's supplementary groups too.
        command.uid(*uid).gid(*gid);
    }
    let inherited = match place {
        Place::Path(_) => None,
        Place::Descriptor(descriptor) => Some(Arc::clone(descriptor)),
    };
    tie_to_us(&mut command, last_word, inherited);
    command
}

#[expect(unsafe_code, reason = "only the child itself can ask for a signal at its parent's death")]
fn tie_to_us(command: &mut Command, last_word: Signal, inherited: Option<Arc<OwnedFd>>) {
    let us = getpid();
    let in_child = move || -> io::Result<()> {
        set_parent_process_death_signal(Some(last_word))?;
        // A parent that died before the line above sends no signal any more.
        if getppid() != Some(us) {
            return Err(Errno::SRCH.into());
        }
        if let Some(descriptor) = &inherited {
            fcntl_setfd(descriptor, FdFlags::empty())?;
        }
        Ok(())
    };
    // SAFETY: between fork and exec only async-signal-safe calls are allowed. The closure makes plain system calls
    // (prctl, getppid, fcntl), takes no lock, and neither allocates nor frees: an `io::Error` made of an errno
    // holds no memory, and the captured `Arc` is only borrowed.
    unsafe {
        command.pre_exec(in_child);
    }
}
