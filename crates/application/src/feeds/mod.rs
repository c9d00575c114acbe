//! Feeds: files by which many products change together.

mod upload;

use std::sync::Arc;

use domain::accounts::access::Denied;
use domain::{ApplyRefused, Caller, FeedConsent, FeedFinding, FeedKind, FeedMode, Permission};
use ports::{Feed, FeedDetails, FeedRepository, FeedRules, FeedWork, Ids, Page, Pagination, StoreError, VehicleNames};

pub use self::upload::{FeedUpload, UploadRefused};
use crate::{Failure, Ports};

/// A feed that somebody sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendFeed {
    pub kind: FeedKind,
    pub mode: FeedMode,
    /// The name of the file.
    pub name: Option<String>,
    /// Whether it stops after the check.
    pub dry_run: bool,
    /// What the sender agrees to beforehand.
    pub consent: FeedConsent,
    pub idempotency_key: Option<ports::IdempotencyKey>,
}

/// Feeds and the work on them.
#[derive(Clone)]
pub struct Feeds {
    repository: Arc<dyn FeedRepository>,
    ids: Arc<dyn Ids>,
    rules: FeedRules,
    work: Arc<dyn FeedWork>,
    vehicles: Arc<dyn VehicleNames>,
}

impl Feeds {
    /// Builds the service.
    #[must_use]
    pub fn new(ports: &Ports) -> Self {
        let (repository, work) = (Arc::clone(&ports.feeds), Arc::clone(&ports.feed_work));
        Self::of(repository, work, Arc::clone(&ports.ids), Arc::clone(&ports.vehicle_names), ports.feed_rules)
    }

    /// Builds the service of those ports that it needs.
    #[must_use]
    pub fn of(
        repository: Arc<dyn FeedRepository>,
        work: Arc<dyn FeedWork>,
        ids: Arc<dyn Ids>,
        vehicles: Arc<dyn VehicleNames>,
        rules: FeedRules,
    ) -> Self {
        Self { repository, ids, rules, work, vehicles }
    }

    /// The limits.
    #[must_use]
    pub const fn rules(&self) -> FeedRules {
        self.rules
    }

    /// The feeds, latest first.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn list(&self, caller: &Caller, page: Pagination<i32>) -> Result<Page<Feed, i32>, Failure> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.repository.list(page).await?)
    }

    /// A feed, with what was found in it.
    ///
    /// # Errors
    /// [`Denied::NotFound`] if there is none.
    pub async fn find(&self, caller: &Caller, feed: i32) -> Result<FeedDetails, Failure> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.repository.find(feed).await?.ok_or(Denied::NotFound)?)
    }

    /// At most `limit` of a feed's findings after a place, each with its place.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn findings(
        &self,
        caller: &Caller,
        feed: i32,
        after: i32,
        limit: u32,
    ) -> Result<Vec<(i32, FeedFinding)>, Failure> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.repository.findings(feed, after, limit).await?)
    }

    /// Has a checked feed applied.
    ///
    /// # Errors
    /// [`ApplyRefused`] if it may not be.
    pub async fn apply(&self, caller: &Caller, feed: i32, consent: FeedConsent) -> Result<(), Failure<ApplyRefused>> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.repository.apply(feed, consent).await?)
    }

    /// Calls off a feed that is not being applied; `false` if it was called off before.
    ///
    /// # Errors
    /// [`ApplyRefused`] if it is too late.
    pub async fn cancel(&self, caller: &Caller, feed: i32) -> Result<bool, Failure<ApplyRefused>> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.repository.cancel(feed).await?)
    }

    /// Works on the feeds that wait; a job.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn work(&self) -> Result<u32, StoreError> {
        self.work.work(self.rules, Arc::clone(&self.ids), Arc::clone(&self.vehicles)).await
    }

    /// Calls off what nobody applied, and forgets uploads that broke off; a job.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn expire(&self) -> Result<u64, StoreError> {
        self.repository.expire().await
    }
}
