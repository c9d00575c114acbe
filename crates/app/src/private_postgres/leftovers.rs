//! Processes of an earlier run that still work in a folder of ours.
//!
//! After a `kill -9` of this program the kernel signals its Postgres to shut down, which takes a moment; an immediate
//! restart finds it still running. A Postgres that was itself killed leaves a `postmaster.pid` that may meanwhile name
//! an unrelated process, so a process counts as ours only by its working folder.

use std::fs;
use std::io;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::error::StartError;

/// How long a Postgres that the kernel has already signalled may take, before it is signalled again.
const GRACE: Duration = Duration::from_secs(2);

/// How long to wait after each signal.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

const POLL: Duration = Duration::from_millis(10);

/// Makes sure that no process works in `cluster`, and that no `postmaster.pid` of a dead server is left.
///
/// The caller holds the lock of the folder.
pub(super) fn clear(cluster: &Path) -> Result<(), StartError> {
    let postmaster_pid = cluster.join("postmaster.pid");
    if !gone_within(cluster, GRACE) {
        let server = first_line_pid(&postmaster_pid);
        let present = working_in(cluster);
        if let Some(server) = server.filter(|server| present.contains(server)) {
            signal(server, Signal::INT);
            gone_within(cluster, STOP_TIMEOUT);
        }
        for orphan in working_in(cluster) {
            signal(orphan, Signal::QUIT);
        }
        if !gone_within(cluster, STOP_TIMEOUT)
            && let Some(pid) = working_in(cluster).first()
        {
            return Err(StartError::Leftover { pid: pid.as_raw_pid().unsigned_abs(), path: cluster.to_owned() });
        }
    }
    match fs::remove_file(&postmaster_pid) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(StartError::Unwritable { path: postmaster_pid, source })
        }
        _ => Ok(()),
    }
}

/// Waits until no process works in `folder`. Returns whether that happened in time.
pub(super) fn gone_within(folder: &Path, timeout: Duration) -> bool {
    let deadline = Instant::now() + timeout;
    while !working_in(folder).is_empty() {
        if Instant::now() >= deadline {
            return false;
        }
        thread::sleep(POLL);
    }
    true
}

/// The processes whose working folder is `folder`: every process of a Postgres server works in its cluster.
///
/// `folder` has no symbolic links in it.
pub(super) fn working_in(folder: &Path) -> Vec<Pid> {
    fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|number: &i32| fs::read_link(format!("/proc/{number}/cwd")).is_ok_and(|cwd| cwd == folder))
        .filter_map(Pid::from_raw)
        .collect()
}

fn first_line_pid(postmaster_pid: &Path) -> Option<Pid> {
    let text = fs::read_to_string(postmaster_pid).ok()?;
    Pid::from_raw(text.lines().next()?.trim().parse().ok()?)
}

fn signal(pid: Pid, signal: Signal) {
    // A process that has ended in the meantime is the goal; one that may not be signalled shows in the wait after.
    let _ = kill_process(pid, signal);
}
