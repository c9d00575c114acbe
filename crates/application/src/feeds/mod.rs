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

#[cfg(test)]
mod tests {
    use domain::Role;
    use ports::{MockFeedRepository, MockFeedWork, WriteError};

    use super::*;
    use crate::testing::{caller, is_forbidden, ports};

    fn feeds(repository: MockFeedRepository) -> Feeds {
        Feeds::new(&Ports { feeds: Arc::new(repository), ..ports() })
    }

    #[tokio::test]
    async fn only_an_admin_sees_and_decides_about_feeds() {
        // No repository may be called.
        let (service, customer) = (feeds(MockFeedRepository::new()), caller(Role::Customer));
        assert!(is_forbidden(&service.list(&customer, Pagination::whole()).await));
        assert!(is_forbidden(&service.find(&customer, 7).await));
        assert!(is_forbidden(&service.findings(&customer, 7, 0, 50).await));
        assert!(is_forbidden(&service.apply(&customer, 7, FeedConsent::default()).await));
        assert!(is_forbidden(&service.cancel(&customer, 7).await));
    }

    #[tokio::test]
    async fn an_admin_reads_on_in_the_findings_of_a_feed() {
        let finding = || FeedFinding {
            line: 12,
            field: "price".to_owned(),
            reason: "required".to_owned(),
            message: "Price is required.".to_owned(),
        };
        let mut repository = MockFeedRepository::new();
        repository
            .expect_findings()
            .times(1)
            .withf(|feed, after, limit| (*feed, *after, *limit) == (7, 100, 50))
            .returning(move |_, _, _| Ok(vec![(101, finding())]));
        let found = feeds(repository).findings(&caller(Role::Admin), 7, 100, 50).await.unwrap();
        assert_eq!(found, [(101, finding())]);
    }

    #[tokio::test]
    async fn a_feed_is_applied_with_what_its_admin_agrees_to_unless_the_store_refuses() {
        let consent = FeedConsent { partial: true, confirm_archived: Some(12) };
        let mut repository = MockFeedRepository::new();
        repository.expect_apply().times(2).returning(move |feed, agreed| {
            assert_eq!(agreed, consent);
            if feed == 7 { Ok(()) } else { Err(WriteError::Refused(ApplyRefused::Unknown)) }
        });
        let (service, admin) = (feeds(repository), caller(Role::Admin));
        service.apply(&admin, 7, consent).await.unwrap();
        let refused = service.apply(&admin, 8, consent).await;
        assert!(matches!(refused, Err(Failure::Refused(ApplyRefused::Unknown))));
    }

    #[tokio::test]
    async fn who_calls_a_feed_off_learns_whether_it_was_called_off_before() {
        let mut repository = MockFeedRepository::new();
        repository.expect_cancel().times(2).returning(|feed| Ok(feed == 7));
        let (service, admin) = (feeds(repository), caller(Role::Admin));
        assert!(service.cancel(&admin, 7).await.unwrap());
        assert!(!service.cancel(&admin, 8).await.unwrap());
    }

    #[tokio::test]
    async fn the_jobs_say_how_many_feeds_they_worked_on_and_how_many_they_called_off() {
        let rules = FeedRules { most_bytes: 5_000, archive_percent: 10 };
        let mut work = MockFeedWork::new();
        work.expect_work().times(1).withf(move |within, _, _| *within == rules).returning(|_, _, _| Ok(7));
        let mut repository = MockFeedRepository::new();
        repository.expect_expire().times(1).returning(|| Ok(8));
        let (feeds, feed_work) = (Arc::new(repository), Arc::new(work));
        let service = Feeds::new(&Ports { feeds, feed_work, feed_rules: rules, ..ports() });
        assert_eq!((service.work().await.unwrap(), service.expire().await.unwrap()), (7, 8));
    }
}
