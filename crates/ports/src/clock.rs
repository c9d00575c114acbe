//! Time and ids, so that any test can replay them.

use domain::Timestamp;
use uuid::Uuid;

/// What time it is.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait Clock: Send + Sync {
    /// Now, in UTC, to the microsecond: what Postgres keeps, so that a moment reads back as it was written.
    fn now(&self) -> Timestamp;
}

/// Fresh ids.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait Ids: Send + Sync {
    /// A `UUIDv7` (RFC 9562) that nobody has had before.
    fn fresh(&self) -> Uuid;
}
