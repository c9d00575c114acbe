//! Whether the shop can do its work at this moment.

/// How far a copy of the shop has come, and whether it is fit to be sent requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readiness {
    /// It has not seen its database yet: it answers nothing but that it lives.
    Starting,
    /// It is open, and something of its own keeps it from serving: a schema that is behind, a database that takes no writes, a
    /// database that it alone may not reach, a wrong clock.
    Unfit,
    /// It serves.
    Ready,
    /// It serves what still comes, and is about to end.
    Draining,
}

/// Tells how far this copy has come.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait Lifecycle: Send + Sync {
    /// What is known at this moment. Asks nobody, so that it can be asked however busy the shop is.
    fn readiness(&self) -> Readiness;
}
