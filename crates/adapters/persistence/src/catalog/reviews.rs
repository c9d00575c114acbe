//! Reviews of the shop.

use async_trait::async_trait;
use diesel::dsl::{exists, select};
use diesel::prelude::*;
use domain::{AccountId, Review, ReviewId, ReviewedRecently, Timestamp};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{IdempotencyKey, NewReview, ReviewCursor, ReviewRepository, StoreError, WriteError};
use uuid::Uuid;

use crate::Database;
use crate::catalog::rows::ReviewRow;
use crate::platform::decode::decode_all;
use crate::platform::idempotency::{self, same_request};
use crate::platform::row_versions::state_of;
use crate::schema::{accounts, orders, reviews};

enum Added {
    As(ReviewId),
    TooSoon(Timestamp),
}

#[async_trait]
impl ReviewRepository for Database {
    async fn add(&self, new: &NewReview) -> Result<ReviewId, WriteError<ReviewedRecently>> {
        let new = new.clone();
        match self.run(move |connection| connection.transaction(|connection| add(connection, &new))).await? {
            Added::As(id) => {
                self.note_reviews();
                Ok(id)
            }
            Added::TooSoon(last) => Err(WriteError::Refused(ReviewedRecently { last })),
        }
    }

    async fn latest(&self, limit: u32) -> Result<Vec<Review>, StoreError> {
        self.read_list(move |connection| {
            let mut latest: Vec<ReviewRow> = reviews::table
                .filter(reviews::removed_at.is_null())
                .order((reviews::created_at.desc(), reviews::id.desc()))
                .limit(i64::from(limit))
                .select(ReviewRow::as_select())
                .load(connection)?;
            latest.reverse();
            decode_all(latest)
        })
        .await
    }

    async fn after(&self, place: Option<ReviewCursor>, limit: u32) -> Result<Vec<Review>, StoreError> {
        self.read_list(move |connection| {
            let mut part = reviews::table.filter(reviews::removed_at.is_null()).into_boxed();
            if let Some(ReviewCursor { at, id }) = place {
                let at = at.to_diesel();
                // An index can use the bare bound on the first key.
                part = part
                    .filter(reviews::created_at.ge(at))
                    .filter(reviews::created_at.gt(at).or(reviews::id.gt(id.uuid())));
            }
            decode_all(
                part.order((reviews::created_at, reviews::id))
                    .limit(i64::from(limit))
                    .select(ReviewRow::as_select())
                    .load(connection)?,
            )
        })
        .await
    }

    async fn state(&self) -> Result<String, StoreError> {
        self.read_list(|connection| state_of(connection, "reviews")).await
    }

    async fn remove(&self, id: ReviewId, by: AccountId, at: Timestamp) -> Result<bool, StoreError> {
        let removed = self
            .run(move |connection| {
                let removed = diesel::update(reviews::table.find(id.uuid()))
                    .filter(reviews::removed_at.is_null())
                    .set((reviews::removed_at.eq(at.to_diesel()), reviews::removed_by.eq(by.uuid())))
                    .execute(connection)?;
                Ok(removed > 0)
            })
            .await?;
        self.note_reviews();
        Ok(removed)
    }
}

fn add(connection: &mut PgConnection, new: &NewReview) -> QueryResult<Added> {
    if let Some(since) = new.one_since {
        // The row lock serialises concurrent reviews of one account.
        accounts::table.find(new.by.uuid()).select(accounts::id).for_no_key_update().first::<Uuid>(connection)?;
        if let Some(first) = under(connection, new.idempotency_key)? {
            return Ok(Added::As(first));
        }
        if let Some(last) = too_soon(connection, new.by, since)? {
            return Ok(Added::TooSoon(last));
        }
    }
    let review = &new.review;
    let (once_key, once_fingerprint) = idempotency::columns(new.idempotency_key);
    let added = diesel::insert_into(reviews::table)
        .values((
            reviews::id.eq(review.id.uuid()),
            reviews::account_id.eq(new.by.uuid()),
            reviews::name.eq(review.name.as_str()),
            reviews::details.eq(review.details.as_str()),
            reviews::rating.eq(i16::from(review.rating.get())),
            reviews::created_at.eq(review.created_at.to_diesel()),
            reviews::once_key.eq(once_key),
            reviews::once_fingerprint.eq(once_fingerprint),
        ))
        .on_conflict(reviews::once_key)
        .do_nothing()
        .execute(connection)?;
    if added > 0 {
        return Ok(Added::As(review.id));
    }
    under(connection, new.idempotency_key)?.map(Added::As).ok_or(diesel::NotFound)
}

/// The review that an earlier request with this idempotency key wrote.
fn under(connection: &mut PgConnection, idempotency_key: Option<IdempotencyKey>) -> QueryResult<Option<ReviewId>> {
    let Some(idempotency_key) = idempotency_key else { return Ok(None) };
    let found: Option<(Uuid, Option<Vec<u8>>)> = reviews::table
        .filter(reviews::once_key.eq(idempotency_key.key.0.to_vec()))
        .select((reviews::id, reviews::once_fingerprint))
        .first(connection)
        .optional()?;
    let Some((first, fingerprint)) = found else { return Ok(None) };
    same_request(idempotency_key, fingerprint.as_deref())?;
    Ok(Some(ReviewId::new(first)))
}

/// When the account wrote its latest review, if that was after `since` and the account has never paid for an order. A
/// removed review counts too.
fn too_soon(connection: &mut PgConnection, by: AccountId, since: Timestamp) -> QueryResult<Option<Timestamp>> {
    let last: Option<SqlTimestamp> = reviews::table
        .filter(reviews::account_id.eq(by.uuid()))
        .filter(reviews::created_at.gt(since.to_diesel()))
        .order(reviews::created_at.desc())
        .select(reviews::created_at)
        .first(connection)
        .optional()?;
    let Some(last) = last else { return Ok(None) };
    // A refunded order counts: it was paid once.
    let paid = orders::table.filter(orders::buyer_id.eq(by.uuid())).filter(orders::payment_state.ne("unpaid"));
    let has_paid: bool = select(exists(paid)).get_result(connection)?;
    Ok((!has_paid).then(|| last.to_jiff()))
}
