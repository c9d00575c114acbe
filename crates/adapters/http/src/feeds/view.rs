//! Feeds as the client sees them.

use domain::{Actor, FeedFinding, FeedKind, FeedMode, FeedState};
use ports::{Feed, FeedChange, FeedDetails};
use serde::Serialize;
use utoipa::ToSchema;

/// What a feed changes.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FeedKindName {
    Products,
    Stock,
    Prices,
    Numbers,
    Fitment,
}

impl From<FeedKind> for FeedKindName {
    fn from(kind: FeedKind) -> Self {
        match kind {
            FeedKind::Products => Self::Products,
            FeedKind::Stock => Self::Stock,
            FeedKind::Prices => Self::Prices,
            FeedKind::Numbers => Self::Numbers,
            FeedKind::Fitment => Self::Fitment,
        }
    }
}

/// What a feed does with rows that match nothing, and with what no row matches.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FeedModeName {
    Update,
    Upsert,
    Replace,
}

impl From<FeedMode> for FeedModeName {
    fn from(mode: FeedMode) -> Self {
        match mode {
            FeedMode::Update => Self::Update,
            FeedMode::Upsert => Self::Upsert,
            FeedMode::Replace => Self::Replace,
        }
    }
}

/// How far a feed has come.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FeedStateName {
    Waiting,
    Reading,
    Checked,
    Applying,
    Applied,
    Failed,
    Cancelled,
}

impl From<FeedState> for FeedStateName {
    fn from(state: FeedState) -> Self {
        match state {
            FeedState::Waiting => Self::Waiting,
            FeedState::Reading => Self::Reading,
            FeedState::Checked => Self::Checked,
            FeedState::Applying => Self::Applying,
            FeedState::Applied => Self::Applied,
            FeedState::Failed => Self::Failed,
            FeedState::Cancelled => Self::Cancelled,
        }
    }
}

/// What a feed does, in rows of its file.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FeedCountsView {
    rows: u64,
    added: u64,
    changed: u64,
    /// Rows that say what is so already.
    same: u64,
    refused: u64,
    /// Products or numbers that no row has, in a feed that replaces.
    archived: u64,
}

/// What is wrong with a row.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FeedFinding)]
pub(crate) struct FeedFindingView {
    /// The line on which the row begins; the header's is 1.
    pub(crate) line: u64,
    /// The column; empty if it is the row as a whole.
    pub(crate) field: String,
    /// What findings are grouped by: `unknown`, `archived`, `mismatch`, `duplicate`, `required`, `invalid`, `row` or `file`.
    pub(crate) reason: String,
    /// The sentence for whoever made the file.
    pub(crate) message: String,
}

impl From<FeedFinding> for FeedFindingView {
    fn from(finding: FeedFinding) -> Self {
        let FeedFinding { line, field, reason, message } = finding;
        Self { line, field, reason, message }
    }
}

/// A field that a feed changes.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ChangedField {
    field: String,
    #[schema(required)]
    old: Option<String>,
    /// Null if it is cleared.
    #[schema(required)]
    new: Option<String>,
}

/// A product that a feed changes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FeedChange)]
pub(crate) struct FeedChangeView {
    line: u64,
    product_id: String,
    /// The product's brand and number.
    part: String,
    fields: Vec<ChangedField>,
}

impl From<FeedChange> for FeedChangeView {
    fn from(change: FeedChange) -> Self {
        let filled = |value: Option<String>| value.filter(|value| !value.is_empty());
        let field = |(field, old, new): (String, Option<String>, Option<String>)| ChangedField {
            field,
            old: filled(old),
            new: filled(new),
        };
        Self {
            line: change.line,
            product_id: change.product,
            part: change.part,
            fields: change.fields.into_iter().map(field).collect(),
        }
    }
}

/// How many findings there are of a reason.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FindingsOfReason {
    reason: String,
    count: u64,
}

/// A feed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Feed)]
pub(crate) struct FeedView {
    /// A number.
    #[serde(rename = "_id")]
    id: String,
    kind: FeedKindName,
    mode: FeedModeName,
    /// The name of the file, if its sender gave one.
    #[schema(required)]
    name: Option<String>,
    state: FeedStateName,
    /// Whether it stops after the check.
    dry_run: bool,
    /// Bytes of the file.
    bytes: u64,
    counts: FeedCountsView,
    /// Whether applying it needs `confirmArchived`, because much of a brand would be archived.
    archives_much: bool,
    /// How many findings there are. The first 10,000 are kept.
    finding_count: u64,
    /// Hundredths of the step that runs.
    progress: u8,
    /// Why it failed, or was not applied.
    #[schema(required)]
    error: Option<String>,
    /// Who sent it; null if it was an operator at the console.
    #[schema(required)]
    sent_by: Option<String>,
    /// RFC 3339, UTC.
    created_at: String,
    /// RFC 3339, UTC.
    #[schema(required)]
    applied_at: Option<String>,
}

impl From<Feed> for FeedView {
    fn from(feed: Feed) -> Self {
        let counts = feed.counts;
        Self {
            id: feed.id.to_string(),
            kind: feed.kind.into(),
            mode: feed.mode.into(),
            name: feed.name,
            state: feed.state.into(),
            dry_run: feed.dry_run,
            bytes: feed.bytes,
            counts: FeedCountsView {
                rows: counts.rows,
                added: counts.added,
                changed: counts.changed,
                same: counts.same,
                refused: counts.refused,
                archived: counts.archived,
            },
            archives_much: feed.archives_much,
            finding_count: feed.findings,
            progress: feed.progress,
            error: feed.error,
            sent_by: match feed.by {
                Actor::Account { email, .. } => Some(email.to_string()),
                Actor::Shop => None,
            },
            created_at: feed.created_at.to_string(),
            applied_at: feed.applied_at.map(|at| at.to_string()),
        }
    }
}

/// A feed with what was found in it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FeedDetails)]
pub(crate) struct FeedDetailsView {
    #[serde(flatten)]
    feed: FeedView,
    /// The first 100 findings, by line.
    findings: Vec<FeedFindingView>,
    /// How many of the kept findings there are of each reason, most first.
    reasons: Vec<FindingsOfReason>,
    /// The first 200 products that change, each with its old and its new values.
    changes: Vec<FeedChangeView>,
}

impl From<FeedDetails> for FeedDetailsView {
    fn from(details: FeedDetails) -> Self {
        Self {
            feed: details.feed.into(),
            findings: details.findings.into_iter().map(Into::into).collect(),
            reasons: details.reasons.into_iter().map(|(reason, count)| FindingsOfReason { reason, count }).collect(),
            changes: details.changes.into_iter().map(Into::into).collect(),
        }
    }
}
