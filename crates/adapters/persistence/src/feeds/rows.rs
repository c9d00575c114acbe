//! Rows of feeds.

use diesel::prelude::*;
use diesel::result::Error;
use domain::{FeedCounts, FeedFinding};
use jiff_diesel::Timestamp as SqlTimestamp;
use ports::{Feed, FeedChange};
use serde::Deserialize;
use uuid::Uuid;

use crate::platform::decode::RowDecoder;
use crate::schema;

#[derive(Queryable, Selectable)]
#[diesel(table_name = schema::feeds, check_for_backend(diesel::pg::Pg))]
pub(crate) struct FeedRecord {
    pub(crate) id: i32,
    kind: String,
    mode: String,
    name: Option<String>,
    state: String,
    dry_run: bool,
    bytes: i64,
    row_count: i64,
    added: i64,
    changed: i64,
    same: i64,
    refused: i64,
    archived: i64,
    archives_much: bool,
    finding_count: i64,
    progress: i16,
    error: Option<String>,
    actor_id: Option<Uuid>,
    actor_email: Option<String>,
    created_at: SqlTimestamp,
    applied_at: Option<SqlTimestamp>,
}

fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or_default()
}

impl TryFrom<FeedRecord> for Feed {
    type Error = Error;

    fn try_from(row: FeedRecord) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "feed", id: row.id };
        Ok(Self {
            id: row.id,
            kind: decoder.parse("kind", &row.kind)?,
            mode: decoder.parse("mode", &row.mode)?,
            name: row.name,
            state: decoder.parse("state", &row.state)?,
            dry_run: row.dry_run,
            bytes: count(row.bytes),
            counts: FeedCounts {
                rows: count(row.row_count),
                added: count(row.added),
                changed: count(row.changed),
                same: count(row.same),
                refused: count(row.refused),
                archived: count(row.archived),
            },
            archives_much: row.archives_much,
            findings: count(row.finding_count),
            progress: u8::try_from(row.progress).unwrap_or_default(),
            error: row.error,
            by: decoder.actor(row.actor_id, row.actor_email.as_deref())?,
            created_at: row.created_at.to_jiff(),
            applied_at: row.applied_at.map(SqlTimestamp::to_jiff),
        })
    }
}

/// A field with its old and its new value.
type ChangedField = (String, Option<String>, Option<String>);

/// A change as it is kept.
#[derive(Deserialize)]
pub(crate) struct KeptChange {
    line: u64,
    product: String,
    part: String,
    fields: Option<Vec<ChangedField>>,
}

impl From<KeptChange> for FeedChange {
    fn from(kept: KeptChange) -> Self {
        let KeptChange { line, product, part, fields } = kept;
        Self { line, product, part, fields: fields.unwrap_or_default() }
    }
}

pub(crate) type FindingRow = (i32, i64, String, String, String);

pub(crate) fn finding((no, line, field, reason, message): FindingRow) -> (i32, FeedFinding) {
    (no, FeedFinding { line: count(line), field, reason, message })
}
