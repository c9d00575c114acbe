//! The work on feeds.

use std::sync::Arc;

use async_trait::async_trait;

use crate::{FeedRules, Ids, StoreError, VehicleNames};

/// Works on the feeds that wait, one after the other. Of any number of instances one works at a time.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait FeedWork: Send + Sync {
    /// Checks or applies the feeds that wait, until none does or another instance works on them; returns how many. What a
    /// run that was killed left is done by the next one, and nothing twice.
    async fn work(
        &self,
        rules: FeedRules,
        ids: Arc<dyn Ids>,
        vehicles: Arc<dyn VehicleNames>,
    ) -> Result<u32, StoreError>;
}
