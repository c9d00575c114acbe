//! The files of feeds, and what became of them.

use async_trait::async_trait;
use domain::{Actor, ApplyRefused, FeedConsent, FeedCounts, FeedFinding, FeedKind, FeedMode, FeedState, Timestamp};

use crate::{IdempotencyKey, Page, Pagination, StoreError, WriteError};

/// Limits on feeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedRules {
    /// The largest file, in bytes.
    pub most_bytes: u64,
    /// How many hundredths of a brand's products may go without being agreed to.
    pub archive_percent: u8,
}

/// A feed whose file is about to come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFeed {
    /// What it changes.
    pub kind: FeedKind,
    /// What it does with rows that match nothing.
    pub mode: FeedMode,
    /// The name of its file, if it is known.
    pub name: Option<String>,
    /// Whether it stops after the check.
    pub dry_run: bool,
    /// What its sender agrees to beforehand.
    pub consent: FeedConsent,
    /// Who sends it.
    pub by: Actor,
    /// The key of the request, if it has one.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// What is known of a file once all of it has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileSeen {
    /// Its length.
    pub bytes: u64,
    /// Its hash.
    pub sha256: [u8; 32],
    /// Whether all of it is UTF-8.
    pub is_utf8: bool,
}

/// A value that a feed changes, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedChange {
    /// The line of the row.
    pub line: u64,
    /// The product's id.
    pub product: String,
    /// The product's brand and number.
    pub part: String,
    /// Each field with its old and its new value.
    pub fields: Vec<(String, Option<String>, Option<String>)>,
}

/// A feed and how far it has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feed {
    /// Its number.
    pub id: i32,
    /// What it changes.
    pub kind: FeedKind,
    /// What it does with rows that match nothing.
    pub mode: FeedMode,
    /// The name of its file.
    pub name: Option<String>,
    /// How far it has come.
    pub state: FeedState,
    /// Whether it stops after the check.
    pub dry_run: bool,
    /// The length of its file.
    pub bytes: u64,
    /// What it does.
    pub counts: FeedCounts,
    /// Whether more of a brand would go than happens unasked.
    pub archives_much: bool,
    /// How many findings there are; not all are kept.
    pub findings: u64,
    /// Hundredths of the step that runs.
    pub progress: u8,
    /// Why it failed, or was not applied.
    pub error: Option<String>,
    /// Who sent it.
    pub by: Actor,
    /// When it came.
    pub created_at: Timestamp,
    /// When it was applied.
    pub applied_at: Option<Timestamp>,
}

/// A feed with what was found in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedDetails {
    /// The feed.
    pub feed: Feed,
    /// Its first changes.
    pub changes: Vec<FeedChange>,
    /// Its first findings.
    pub findings: Vec<FeedFinding>,
    /// How many findings there are of each reason, of those that are kept.
    pub reasons: Vec<(String, u64)>,
}

/// The feeds and their files.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait FeedRepository: Send + Sync {
    /// Begins a feed, and returns its number. Nobody works on it before [`Self::finish`]; one whose file does not come is
    /// forgotten. A feed that was sent under the same key is `Err` with its number.
    async fn begin(&self, new: &NewFeed) -> Result<Result<i32, i32>, StoreError>;

    /// Stores a piece of its file; the pieces are numbered from 0.
    async fn store(&self, feed: i32, no: u32, piece: Vec<u8>) -> Result<(), StoreError>;

    /// Ends the upload: from now on the feed waits to be worked on.
    async fn finish(&self, feed: i32, seen: &FileSeen) -> Result<(), StoreError>;

    /// Gives an upload up, and forgets it.
    async fn abandon(&self, feed: i32) -> Result<(), StoreError>;

    /// The feeds, latest first.
    async fn list(&self, page: Pagination<i32>) -> Result<Page<Feed, i32>, StoreError>;

    /// A feed; `None` if there is none.
    async fn find(&self, feed: i32) -> Result<Option<FeedDetails>, StoreError>;

    /// At most `limit` findings after a place, in the order of their lines, each with its place.
    async fn findings(&self, feed: i32, after: i32, limit: u32) -> Result<Vec<(i32, FeedFinding)>, StoreError>;

    /// Has a checked feed applied.
    async fn apply(&self, feed: i32, consent: FeedConsent) -> Result<(), WriteError<ApplyRefused>>;

    /// Calls off a feed that is not being applied: `false` if it was called off before.
    async fn cancel(&self, feed: i32) -> Result<bool, WriteError<ApplyRefused>>;

    /// Calls off what nobody applied for a week, and forgets uploads that broke off.
    async fn expire(&self) -> Result<u64, StoreError>;
}
