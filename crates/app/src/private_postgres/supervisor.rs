//! Starts a server again that has ended by itself: killed, out of memory, or crashed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::error::{StartError, StopError};
use super::server::Server;

/// The delay before a server is started again that has ended once more soon after its last start. It doubles up to the longest.
const FIRST_DELAY: Duration = Duration::from_millis(200);
const LONGEST_DELAY: Duration = Duration::from_secs(30);

/// A server, and the thread that starts another one at the same endpoint when it ends.
#[derive(Debug)]
pub(super) struct Supervisor {
    kept: Arc<Kept>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Kept {
    /// The current server. It is replaced only while [`Kept::is_stopping`] is not set.
    server: Mutex<Server>,
    is_stopping: AtomicBool,
    /// Interrupts the delay before the next start.
    asked_to_stop: Condvar,
}

impl Kept {
    fn server(&self) -> MutexGuard<'_, Server> {
        self.server.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Supervisor {
    /// A server that is left alone when it ends.
    pub(super) fn of(server: Server) -> Self {
        let kept =
            Kept { server: Mutex::new(server), is_stopping: AtomicBool::new(false), asked_to_stop: Condvar::new() };
        Self { kept: Arc::new(kept), thread: None }
    }

    /// From now on starts another server when one ends; `again` spawns it.
    pub(super) fn watch(
        &mut self,
        again: impl Fn() -> Result<Server, StartError> + Send + 'static,
    ) -> Result<(), StartError> {
        let kept = Arc::clone(&self.kept);
        let thread = thread::Builder::new().name("postgres-supervisor".to_owned());
        let thread = thread.spawn(move || supervise(&kept, &again));
        self.thread = Some(
            thread.map_err(|source| StartError::System { what: "start the thread that watches Postgres", source })?,
        );
        Ok(())
    }

    /// Stops the server, which is not started again.
    pub(super) fn stop(&mut self) -> Result<(), StopError> {
        self.kept.is_stopping.store(true, Ordering::SeqCst);
        let server = self.kept.server();
        self.kept.asked_to_stop.notify_all();
        let stopped = server.stop();
        drop(server);
        // It holds the data folder's lock as well, and ends with the server.
        if let Some(thread) = self.thread.take()
            && !matches!(stopped, Err(StopError::Remains { .. }))
        {
            let _ = thread.join();
        }
        stopped
    }

    /// The process id of the current server, while it runs.
    #[cfg(test)]
    pub(super) fn id(&self) -> Option<u32> {
        self.kept.server().id()
    }
}

fn supervise(kept: &Kept, again: &dyn Fn() -> Result<Server, StartError>) {
    let mut delay = FIRST_DELAY;
    loop {
        let current = kept.server().clone();
        // One that has run for this long was started well.
        while !current.gone_within(LONGEST_DELAY) {
            delay = FIRST_DELAY;
        }
        let mut server = kept.server();
        if kept.is_stopping.load(Ordering::SeqCst) {
            return;
        }
        tracing::warn!("Postgres has ended by itself; it is started again");
        match again() {
            Ok(new) => *server = new,
            Err(error) => tracing::error!(%error, "Postgres cannot be started again; it is tried once more"),
        }
        // Interrupted by a stop, which the next round sees.
        drop(kept.asked_to_stop.wait_timeout(server, delay));
        delay = (delay * 2).min(LONGEST_DELAY);
    }
}
