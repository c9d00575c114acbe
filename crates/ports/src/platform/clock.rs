//! Time and ids, so that any test can replay them.

use async_trait::async_trait;
use domain::Timestamp;
use uuid::Uuid;

use crate::StoreError;

/// What time it is.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait Clock: Send + Sync {
    /// Now, in UTC, to the microsecond: what Postgres keeps, so that a moment reads back as it was written.
    fn now(&self) -> Timestamp;
}

/// The clock that all copies of the shop share: the database's.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait SharedClock: Send + Sync {
    /// What time it is there.
    async fn read(&self) -> Result<Timestamp, StoreError>;
}

/// Fresh ids.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait Ids: Send + Sync {
    /// A `UUIDv7` (RFC 9562) that nobody has had before.
    fn fresh(&self) -> Uuid;
}
