//! Starting a program that was copied a moment ago.

use std::io::ErrorKind;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

/// Starts a copied program. Another test that starts a process just now has the copy open for writing until its own
/// `exec`, and meanwhile the copy cannot be started (ETXTBSY).
///
/// # Panics
/// If it cannot be started for another reason, or not within twenty seconds.
pub fn spawn_copied(command: &mut Command) -> Child {
    let begun = Instant::now();
    loop {
        match command.spawn() {
            Err(error)
                if error.kind() == ErrorKind::ExecutableFileBusy && begun.elapsed() < Duration::from_secs(20) =>
            {
                thread::sleep(Duration::from_millis(20));
            }
            spawned => return spawned.unwrap_or_else(|error| panic!("{command:?}: {error}")),
        }
    }
}
