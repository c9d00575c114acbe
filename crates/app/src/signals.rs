//! Signals that ask the program to stop.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Listens for Ctrl-C (SIGINT), `kill` (SIGTERM) and a terminal that closes (SIGHUP), from its creation on; before that
/// they end the process immediately.
#[derive(Debug)]
pub(crate) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
}

/// The signal that came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Ctrl-C.
    Interrupt,
    /// `kill`.
    Terminate,
    /// The terminal closed.
    HangUp,
}

impl Signals {
    /// Begins to listen. Only inside a runtime.
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    /// Waits for the next signal; one that came before counts. Cancelling the wait loses none.
    pub(crate) async fn next(&mut self) -> Asked {
        tokio::select! {
            _ = self.interrupt.recv() => Asked::Interrupt,
            _ = self.terminate.recv() => Asked::Terminate,
            _ = self.hang_up.recv() => Asked::HangUp,
        }
    }
}
