//! Internal notes about orders and customers.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::result::Error;
use domain::{AccountId, Note, NoteId, NoteSubject, OrderId, Timestamp};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{IdempotencyKey, NewNote, NoteRepository, StoreError};
use uuid::Uuid;

use crate::Database;
use crate::platform::decode::{RowDecoder, decode_all};
use crate::platform::idempotency::{self, same_request};
use crate::schema::notes;

#[async_trait]
impl NoteRepository for Database {
    async fn add(&self, new: &NewNote) -> Result<NoteId, StoreError> {
        let new = new.clone();
        self.run(move |connection| connection.transaction(|connection| add(connection, &new))).await
    }

    async fn about(&self, about: NoteSubject, limit: u32) -> Result<Vec<Note>, StoreError> {
        self.read_list(move |connection| {
            let mut found = notes::table.filter(notes::removed_at.is_null()).into_boxed();
            found = match about {
                NoteSubject::Order(order) => found.filter(notes::order_id.eq(order.uuid())),
                NoteSubject::Customer(account) => found.filter(notes::account_id.eq(account.uuid())),
            };
            decode_all(
                found
                    .order((notes::created_at.desc(), notes::id.desc()))
                    .limit(i64::from(limit))
                    .select(NoteRow::as_select())
                    .load(connection)?,
            )
        })
        .await
    }

    async fn remove(&self, id: NoteId, by: AccountId, at: Timestamp) -> Result<bool, StoreError> {
        self.run(move |connection| {
            let removed = diesel::update(notes::table.find(id.uuid()))
                .filter(notes::removed_at.is_null())
                .set((notes::removed_at.eq(at.to_diesel()), notes::removed_by.eq(by.uuid())))
                .execute(connection)?;
            Ok(removed > 0)
        })
        .await
    }
}

fn add(connection: &mut PgConnection, new: &NewNote) -> QueryResult<NoteId> {
    let note = &new.note;
    let (order, account) = match note.about {
        NoteSubject::Order(order) => (Some(order.uuid()), None),
        NoteSubject::Customer(account) => (None, Some(account.uuid())),
    };
    let (once_key, once_fingerprint) = idempotency::columns(new.idempotency_key);
    let added = diesel::insert_into(notes::table)
        .values((
            notes::id.eq(note.id.uuid()),
            notes::order_id.eq(order),
            notes::account_id.eq(account),
            notes::author_id.eq(note.author.uuid()),
            notes::author_email.eq(note.author_email.as_str()),
            notes::text.eq(note.text.as_str()),
            notes::created_at.eq(note.created_at.to_diesel()),
            notes::once_key.eq(once_key),
            notes::once_fingerprint.eq(once_fingerprint),
        ))
        .on_conflict(notes::once_key)
        .do_nothing()
        .execute(connection)?;
    if added > 0 {
        return Ok(note.id);
    }
    under(connection, new.idempotency_key)?.ok_or(diesel::NotFound)
}

/// The note that an earlier request with this idempotency key wrote.
fn under(connection: &mut PgConnection, idempotency_key: Option<IdempotencyKey>) -> QueryResult<Option<NoteId>> {
    let Some(idempotency_key) = idempotency_key else { return Ok(None) };
    let found: Option<(Uuid, Option<Vec<u8>>)> = notes::table
        .filter(notes::once_key.eq(idempotency_key.key.0.to_vec()))
        .select((notes::id, notes::once_fingerprint))
        .first(connection)
        .optional()?;
    let Some((first, fingerprint)) = found else { return Ok(None) };
    same_request(idempotency_key, fingerprint.as_deref())?;
    Ok(Some(NoteId::new(first)))
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = notes, check_for_backend(diesel::pg::Pg))]
struct NoteRow {
    id: Uuid,
    order_id: Option<Uuid>,
    account_id: Option<Uuid>,
    author_id: Uuid,
    author_email: String,
    text: String,
    created_at: SqlTimestamp,
}

impl TryFrom<NoteRow> for Note {
    type Error = Error;

    fn try_from(row: NoteRow) -> QueryResult<Self> {
        let decoder = RowDecoder { what: "note", id: row.id };
        let about = match (row.order_id, row.account_id) {
            (Some(order), None) => NoteSubject::Order(OrderId::new(order)),
            (None, Some(account)) => NoteSubject::Customer(AccountId::new(account)),
            _ => return Err(decoder.refuse("order_id", "not about exactly one thing")),
        };
        Ok(Self {
            id: NoteId::new(row.id),
            about,
            author: AccountId::new(row.author_id),
            author_email: decoder.parse("author_email", &row.author_email)?,
            text: decoder.text("text", &row.text)?,
            created_at: row.created_at.to_jiff(),
        })
    }
}
