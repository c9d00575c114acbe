//! Reading the trail, and noting what changes no row.

use async_trait::async_trait;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::sql_types::{Nullable, Text};
use domain::{AuditEntry, AuditHash, AuditMark};
use jiff_diesel::ToDiesel;
use ports::{AuditFilter, AuditNote, AuditQuery, AuditTrail, Page, StoreError};
use serde_json::{Map, Value};

use super::rows::EntryRow;
use crate::Database;
use crate::platform::decode::RowDecoder;
use crate::platform::page::{cut_page, limited};
use crate::platform::sql_file::sql_file;
use crate::schema::{audit_entries, audit_head};

/// How far the entries of a filter are counted.
const COUNTED_UP_TO: i64 = 1_000;

#[async_trait]
impl AuditTrail for Database {
    async fn note(&self, note: &AuditNote) -> Result<(), StoreError> {
        let AuditNote { kind, target, details } = note.clone();
        let details: Map<String, Value> =
            details.into_iter().map(|(name, value)| (name, Value::String(value.replace('\0', "")))).collect();
        let details = Value::Object(details).to_string();
        self.run(move |connection| {
            sql_file!("note_action.sql", {
                kind: Text = kind,
                target: Nullable<Text> = target,
                details: Text = details,
            })
            .execute(connection)
            .map(drop)
        })
        .await
    }

    async fn list(&self, query: &AuditQuery) -> Result<Page<AuditEntry, u64>, StoreError> {
        let AuditQuery { filter, page } = query.clone();
        self.read_list(move |connection| {
            let Some(numbers) = numbers(connection, &filter)? else { return Ok(Page::empty(0)) };
            let listed = || matching(&filter, numbers);
            let mut found = listed().order(audit_entries::number.desc());
            if let Some(after) = page.after {
                found = found.filter(audit_entries::number.lt(signed(after)));
            }
            let rows: Vec<EntryRow> = limited(found, &page).select(EntryRow::as_select()).load(connection)?;
            let entries = rows.into_iter().map(AuditEntry::from).collect();
            let count = || {
                if filter == AuditFilter::default() {
                    return audit_head::table.select(audit_head::number).first(connection);
                }
                let counted = listed().select(audit_entries::number).limit(COUNTED_UP_TO);
                Ok(signed(counted.load::<i64>(connection)?.len()))
            };
            cut_page(entries, &page, |last: &AuditEntry| last.number, count)
        })
        .await
    }

    async fn after(&self, number: u64, limit: u32) -> Result<Vec<AuditEntry>, StoreError> {
        self.read_many(move |connection| {
            let rows: Vec<EntryRow> = audit_entries::table
                .filter(audit_entries::number.gt(signed(number)))
                .order(audit_entries::number)
                .limit(i64::from(limit))
                .select(EntryRow::as_select())
                .load(connection)?;
            Ok(rows.into_iter().map(AuditEntry::from).collect())
        })
        .await
    }

    async fn head(&self) -> Result<AuditMark, StoreError> {
        self.read(|connection| {
            let (number, hash): (i64, Vec<u8>) =
                audit_head::table.select((audit_head::number, audit_head::hash)).first(connection)?;
            let decoder = RowDecoder { what: "the head of the audit trail", id: number };
            let hash = AuditHash::try_from(hash).map_err(|_| decoder.refuse("hash", "it has not 32 bytes"))?;
            Ok(AuditMark { number: u64::try_from(number).unwrap_or_default(), hash })
        })
        .await
    }
}

/// The first and the last number of the time that is asked for; `None` if nothing was written in it. Numbers and times grow
/// together, so that a page is read by the numbers whatever the time is.
fn numbers(connection: &mut PgConnection, filter: &AuditFilter) -> QueryResult<Option<(i64, i64)>> {
    let numbers = || audit_entries::table.select(audit_entries::number);
    let first = match filter.from {
        None => Some(1),
        Some(from) => numbers()
            .filter(audit_entries::at.ge(from.to_diesel()))
            .order((audit_entries::at, audit_entries::number))
            .first(connection)
            .optional()?,
    };
    let last = match filter.until {
        None => Some(i64::MAX),
        Some(until) => numbers()
            .filter(audit_entries::at.lt(until.to_diesel()))
            .order((audit_entries::at.desc(), audit_entries::number.desc()))
            .first(connection)
            .optional()?,
    };
    Ok(first.zip(last))
}

/// The entries that match.
fn matching(filter: &AuditFilter, (first, last): (i64, i64)) -> audit_entries::BoxedQuery<'_, Pg> {
    let mut found = audit_entries::table.into_boxed();
    if let Some(email) = &filter.email {
        found = found.filter(audit_entries::email.eq(email));
    }
    if let Some(operation) = &filter.operation {
        found = found.filter(audit_entries::operation.eq(operation));
    }
    if let Some(kind) = &filter.kind {
        found = found.filter(audit_entries::kind.eq(kind));
    }
    if let Some(target) = &filter.target {
        found = found.filter(audit_entries::target.eq(target).or(audit_entries::parent.eq(target)));
    }
    if filter.from.is_some() {
        found = found.filter(audit_entries::number.ge(first));
    }
    if filter.until.is_some() {
        found = found.filter(audit_entries::number.le(last));
    }
    found
}

/// A number as a column holds it.
fn signed(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}
