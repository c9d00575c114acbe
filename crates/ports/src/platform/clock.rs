//! Time and ids as ports, so that tests control both.

use async_trait::async_trait;
use domain::Timestamp;
use uuid::Uuid;

use crate::StoreError;

/// Source of the current time.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
pub trait Clock: Send + Sync {
    /// The current time in UTC, in whole microseconds: Postgres stores no more, so a timestamp reads back as it was
    /// written.
    fn now(&self) -> Timestamp;
}

/// The clock that all instances of the shop share: the database's.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait SharedClock: Send + Sync {
    /// The current time of that clock.
    async fn read(&self) -> Result<Timestamp, StoreError>;
}

/// Generates ids.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
pub trait Ids: Send + Sync {
    /// A new, unique `UUIDv7` (RFC 9562).
    fn fresh(&self) -> Uuid;
}
