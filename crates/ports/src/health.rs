//! Whether the shop can do its work at this moment.

use async_trait::async_trait;

/// Whether what the shop stands on is there.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait Readiness: Send + Sync {
    /// Whether the database answers and has every migration that this program needs. Answers within a few seconds.
    async fn ready(&self) -> bool;
}
