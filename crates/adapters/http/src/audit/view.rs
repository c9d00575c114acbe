//! An entry of the trail, as it is sent.

use domain::{AuditEntry, hex};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

/// What an admin changed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AuditEntry)]
pub(super) struct EntryView {
    /// Its place in the trail, from 1, without gaps.
    number: u64,
    /// When it was committed: RFC 3339, UTC.
    at: String,
    /// The admin's account.
    account_id: String,
    /// The admin's address, as it was then.
    email: String,
    /// The operation, such as `editProduct`.
    operation: String,
    method: String,
    /// The route's path, with the names of its parameters.
    route: String,
    /// The kind of what was changed, such as `product`.
    kind: String,
    change: ChangeName,
    /// The id of what was changed, if it has one.
    #[schema(required)]
    target: Option<String>,
    /// The id of what that belongs to, such as the product of a picture.
    #[schema(required)]
    parent: Option<String>,
    /// What it was: of a change the columns that differ.
    #[schema(required, value_type = Option<Object>)]
    before: Option<Box<RawValue>>,
    /// What it is: of a change the columns that differ; of an export what was asked for.
    #[schema(required, value_type = Option<Object>)]
    after: Option<Box<RawValue>>,
    /// Where the request came from.
    client_address: String,
    /// What the client called itself, at most 200 characters.
    #[schema(required)]
    user_agent: Option<String>,
    /// The request's id, as in the log.
    request_id: String,
    /// SHA-256 of the entry and of the hash before, in hexadecimal.
    hash: String,
}

/// What became of it.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = AuditChange)]
pub(super) enum ChangeName {
    Added,
    Changed,
    Removed,
    /// Nothing that is stored: an export, or an upload.
    Done,
}

impl ChangeName {
    fn of(change: &str) -> Self {
        match change {
            "added" => Self::Added,
            "changed" => Self::Changed,
            "removed" => Self::Removed,
            _ => Self::Done,
        }
    }
}

/// The stored text as JSON. It is JSON, unless somebody tampered with it; then it is left out, and the check of the trail names it.
fn json(text: Option<String>) -> Option<Box<RawValue>> {
    text.and_then(|text| RawValue::from_string(text).ok())
}

impl From<AuditEntry> for EntryView {
    fn from(entry: AuditEntry) -> Self {
        Self {
            number: entry.number,
            at: entry.at.to_string(),
            account_id: entry.account.to_string(),
            email: entry.email,
            operation: entry.operation,
            method: entry.method,
            route: entry.route,
            kind: entry.kind,
            change: ChangeName::of(&entry.change),
            target: entry.target,
            parent: entry.parent,
            before: json(entry.before),
            after: json(entry.after),
            client_address: entry.client_address,
            user_agent: entry.user_agent,
            request_id: entry.request_id,
            hash: hex(&entry.hash),
        }
    }
}

/// The columns of a file of entries, in their order.
pub(super) const COLUMNS: [&str; 17] = [
    "number",
    "at",
    "email",
    "accountId",
    "operation",
    "method",
    "route",
    "kind",
    "change",
    "target",
    "parent",
    "before",
    "after",
    "clientAddress",
    "userAgent",
    "requestId",
    "hash",
];

pub(super) fn cells(entry: AuditEntry) -> Vec<String> {
    vec![
        entry.number.to_string(),
        entry.at.to_string(),
        entry.email,
        entry.account.to_string(),
        entry.operation,
        entry.method,
        entry.route,
        entry.kind,
        entry.change,
        entry.target.unwrap_or_default(),
        entry.parent.unwrap_or_default(),
        entry.before.unwrap_or_default(),
        entry.after.unwrap_or_default(),
        entry.client_address,
        entry.user_agent.unwrap_or_default(),
        entry.request_id,
        hex(&entry.hash),
    ]
}
