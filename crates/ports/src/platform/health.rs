//! Readiness of one instance of the shop.

/// The readiness of one instance of the shop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readiness {
    /// Not connected to its database yet: only the liveness check answers.
    Starting,
    /// Running, but not fit to serve: its schema is outdated, the database is read-only, it alone cannot reach the
    /// database, or its clock is wrong.
    Unfit,
    /// Serving requests.
    Ready,
    /// Shutting down: it still serves the requests that arrive.
    Draining,
}

/// Reports the readiness of this instance.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
pub trait Lifecycle: Send + Sync {
    /// The readiness as last determined. Does no I/O, so it answers under any load.
    fn readiness(&self) -> Readiness;
}
