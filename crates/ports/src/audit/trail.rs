//! Reading the trail, and noting what changes no row.

use async_trait::async_trait;
use domain::{AuditEntry, AuditMark, Timestamp};

use crate::{Page, Pagination, StoreError};

/// Something an admin did that changes no row, such as an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditNote {
    /// What it is about, such as `export`.
    pub kind: &'static str,
    /// Its id, if it has one.
    pub target: Option<String>,
    /// What was asked for: names and values.
    pub details: Vec<(String, String)>,
}

/// Which entries are wanted; all that is given has to match.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuditFilter {
    /// Of the admin with this address.
    pub email: Option<String>,
    /// Of this operation.
    pub operation: Option<String>,
    /// About this kind of thing.
    pub kind: Option<String>,
    /// About the thing with this id, or what belongs to it.
    pub target: Option<String>,
    /// Not before.
    pub from: Option<Timestamp>,
    /// Before.
    pub until: Option<Timestamp>,
}

/// Filter and page of the trail; the newest entry first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuditQuery {
    /// Which entries.
    pub filter: AuditFilter,
    /// The page; its cursor is an entry's number.
    pub page: Pagination<u64>,
}

/// The trail of what admins changed.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait AuditTrail: Send + Sync {
    /// Adds an entry for what changes no row. Only within an [`AuditScope`](crate::AuditScope); elsewhere it is an error.
    async fn note(&self, note: &AuditNote) -> Result<(), StoreError>;

    /// The entries that match. The total is counted up to a thousand.
    async fn list(&self, query: &AuditQuery) -> Result<Page<AuditEntry, u64>, StoreError>;

    /// At most `limit` entries with higher numbers, the lowest first.
    async fn after(&self, number: u64, limit: u32) -> Result<Vec<AuditEntry>, StoreError>;

    /// The newest entry, as it was noted beside the entries.
    async fn head(&self) -> Result<AuditMark, StoreError>;
}
