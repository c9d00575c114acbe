//! Lists that accounts keep to order from.

use async_trait::async_trait;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::result::Error;
use diesel::sql_types::Integer;
use domain::{AccountId, ListId, Text, Timestamp};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{
    IdempotencyKey, ListEdit, ListRepository, ListSummary, ListsFull, NewList, SavedList, StoreError, WriteError,
};
use serde_json::Value;
use uuid::Uuid;

use crate::Database;
use crate::baskets::lines;
use crate::platform::decode::{RowDecoder, decode_all};
use crate::platform::idempotency::{self, same_request};
use crate::schema::lists;

#[async_trait]
impl ListRepository for Database {
    async fn lists(&self, account: AccountId) -> Result<Vec<ListSummary>, StoreError> {
        self.read(move |connection| {
            let rows: Vec<SummaryRow> = lists::table
                .filter(lists::account_id.eq(account.uuid()))
                .order((lists::name, lists::id))
                .select((lists::id, lists::name, sql::<Integer>("jsonb_array_length(lines)"), lists::changed_at))
                .load(connection)?;
            decode_all(rows)
        })
        .await
    }

    async fn list(&self, account: AccountId, id: ListId) -> Result<Option<SavedList>, StoreError> {
        self.read(move |connection| {
            let row: Option<ListRow> = lists::table
                .find(id.uuid())
                .filter(lists::account_id.eq(account.uuid()))
                .select((lists::id, lists::name, lists::lines, lists::changed_at))
                .first(connection)
                .optional()?;
            row.map(TryInto::try_into).transpose()
        })
        .await
    }

    async fn add_list(&self, new: &NewList) -> Result<ListId, WriteError<ListsFull>> {
        let new = new.clone();
        self.run(move |connection| unless_full(connection.transaction(|connection| add(connection, &new))))
            .await?
            .map_err(WriteError::Refused)
    }

    async fn edit_list(
        &self,
        account: AccountId,
        id: ListId,
        edit: &ListEdit,
        at: Timestamp,
    ) -> Result<Option<bool>, StoreError> {
        let changes = Changes {
            name: edit.name.as_ref().map(ToString::to_string),
            lines: edit.lines.as_deref().map(lines::stored),
        };
        self.run(move |connection| {
            connection.transaction(|connection| {
                let own = lists::table.find(id.uuid()).filter(lists::account_id.eq(account.uuid()));
                let kept: Option<(String, Value)> =
                    own.select((lists::name, lists::lines)).for_no_key_update().first(connection).optional()?;
                let Some((name, lines)) = kept else { return Ok(None) };
                let is_same = changes.name.as_ref().is_none_or(|new| *new == name)
                    && changes.lines.as_ref().is_none_or(|new| *new == lines);
                if is_same {
                    return Ok(Some(false));
                }
                diesel::update(own).set((&changes, lists::changed_at.eq(at.to_diesel()))).execute(connection)?;
                Ok(Some(true))
            })
        })
        .await
    }

    async fn remove_list(&self, account: AccountId, id: ListId) -> Result<bool, StoreError> {
        self.run(move |connection| {
            let own = lists::table.find(id.uuid()).filter(lists::account_id.eq(account.uuid()));
            Ok(diesel::delete(own).execute(connection)? > 0)
        })
        .await
    }
}

/// The database counts; what was written before it refused is rolled back.
fn unless_full<T>(done: QueryResult<T>) -> QueryResult<Result<T, ListsFull>> {
    match done {
        Err(Error::DatabaseError(_, info)) if info.constraint_name() == Some("lists_are_at_most_200") => {
            Ok(Err(ListsFull))
        }
        done => done.map(Ok),
    }
}

fn add(connection: &mut PgConnection, new: &NewList) -> QueryResult<ListId> {
    if let Some(first) = under(connection, new.idempotency_key)? {
        return Ok(first);
    }
    let (once_key, once_fingerprint) = idempotency::columns(new.idempotency_key);
    let added = diesel::insert_into(lists::table)
        .values((
            lists::id.eq(new.list.id.uuid()),
            lists::account_id.eq(new.account.uuid()),
            lists::name.eq(new.list.name.as_str()),
            lists::lines.eq(lines::stored(&new.list.lines)),
            lists::changed_at.eq(new.list.changed_at.to_diesel()),
            lists::once_key.eq(once_key),
            lists::once_fingerprint.eq(once_fingerprint),
        ))
        .on_conflict(lists::once_key)
        .do_nothing()
        .execute(connection)?;
    if added > 0 {
        return Ok(new.list.id);
    }
    under(connection, new.idempotency_key)?.ok_or(diesel::NotFound)
}

/// The list that an earlier request with this idempotency key added.
fn under(connection: &mut PgConnection, idempotency_key: Option<IdempotencyKey>) -> QueryResult<Option<ListId>> {
    let Some(idempotency_key) = idempotency_key else { return Ok(None) };
    let found: Option<(Uuid, Option<Vec<u8>>)> = lists::table
        .filter(lists::once_key.eq(idempotency_key.key.0.to_vec()))
        .select((lists::id, lists::once_fingerprint))
        .first(connection)
        .optional()?;
    let Some((first, fingerprint)) = found else { return Ok(None) };
    same_request(idempotency_key, fingerprint.as_deref())?;
    Ok(Some(ListId::new(first)))
}

#[derive(AsChangeset)]
#[diesel(table_name = lists)]
struct Changes {
    name: Option<String>,
    lines: Option<Value>,
}

#[derive(Queryable)]
struct SummaryRow {
    id: Uuid,
    name: String,
    lines: i32,
    changed_at: SqlTimestamp,
}

impl TryFrom<SummaryRow> for ListSummary {
    type Error = Error;

    fn try_from(row: SummaryRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "list", id: row.id };
        Ok(Self {
            id: ListId::new(row.id),
            name: name(decoder, &row.name)?,
            lines: usize::try_from(row.lines).map_err(|why| decoder.refuse("lines", &why))?,
            changed_at: row.changed_at.to_jiff(),
        })
    }
}

#[derive(Queryable)]
struct ListRow {
    id: Uuid,
    name: String,
    lines: Value,
    changed_at: SqlTimestamp,
}

impl TryFrom<ListRow> for SavedList {
    type Error = Error;

    fn try_from(row: ListRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "list", id: row.id };
        Ok(Self {
            id: ListId::new(row.id),
            name: name(decoder, &row.name)?,
            lines: lines::read(decoder, row.lines)?,
            changed_at: row.changed_at.to_jiff(),
        })
    }
}

fn name(decoder: RowDecoder, name: &str) -> QueryResult<Text<80>> {
    decoder.text("name", name)
}
