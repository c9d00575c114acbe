//! Rows of the trail.

use diesel::prelude::*;
use domain::AuditEntry;
use jiff_diesel::Timestamp as SqlTimestamp;
use uuid::Uuid;

use crate::schema::audit_entries;

#[derive(Queryable, Selectable)]
#[diesel(table_name = audit_entries)]
pub(super) struct EntryRow {
    number: i64,
    at: SqlTimestamp,
    account_id: Uuid,
    email: String,
    operation: String,
    method: String,
    route: String,
    kind: String,
    change: String,
    target: Option<String>,
    parent: Option<String>,
    before: Option<String>,
    after: Option<String>,
    client_address: String,
    user_agent: Option<String>,
    request_id: String,
    previous: Vec<u8>,
    hash: Vec<u8>,
}

impl From<EntryRow> for AuditEntry {
    fn from(row: EntryRow) -> Self {
        Self {
            // A number below 1 is refused by a constraint; if somebody removed that, no chain begins with 0.
            number: u64::try_from(row.number).unwrap_or_default(),
            at: row.at.to_jiff(),
            account: row.account_id,
            email: row.email,
            operation: row.operation,
            method: row.method,
            route: row.route,
            kind: row.kind,
            change: row.change,
            target: row.target,
            parent: row.parent,
            before: row.before,
            after: row.after,
            client_address: row.client_address,
            user_agent: row.user_agent,
            request_id: row.request_id,
            previous: row.previous,
            hash: row.hash,
        }
    }
}
