//! Reviews of the shop.

use async_trait::async_trait;
use diesel::dsl::{count_star, exists, select, sum};
use diesel::prelude::*;
use domain::{AccountId, Email, ProductId, RatingTotal, Review, ReviewId, ReviewedRecently, Text, Timestamp};
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{HiddenReview, IdempotencyKey, NewReview, ReviewCursor, ReviewRepository, StoreError, WriteError};
use uuid::Uuid;

use crate::Database;
use crate::catalog::rows::ReviewRow;
use crate::platform::decode::{RowDecoder, decode_all};
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

    async fn latest_of(&self, part: ProductId, limit: u32) -> Result<Vec<Review>, StoreError> {
        self.read_list(move |connection| {
            let mut latest: Vec<ReviewRow> = reviews::table
                .filter(reviews::product_id.eq(part.uuid()))
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

    async fn rating_of(&self, part: ProductId) -> Result<RatingTotal, StoreError> {
        self.read_list(move |connection| {
            let (count, stars): (i64, Option<i64>) = reviews::table
                .filter(reviews::product_id.eq(part.uuid()))
                .filter(reviews::removed_at.is_null())
                .select((count_star(), sum(reviews::rating)))
                .first(connection)?;
            let whole = |number: i64| u64::try_from(number).unwrap_or_default();
            Ok(RatingTotal { reviews: whole(count), stars: whole(stars.unwrap_or_default()) })
        })
        .await
    }

    async fn has_bought(&self, account: AccountId, part: Option<ProductId>) -> Result<bool, StoreError> {
        self.read(move |connection| {
            let mut paid = paid_orders(account).filter(orders::cancelled_at.is_null()).into_boxed();
            if let Some(part) = part {
                paid = paid.filter(orders::product_id.eq(part.uuid()));
            }
            select(exists(paid)).get_result(connection)
        })
        .await
    }

    async fn hidden(&self, limit: u32) -> Result<Vec<HiddenReview>, StoreError> {
        self.read_list(move |connection| {
            reviews::table
                .inner_join(accounts::table.on(reviews::removed_by.eq(accounts::id.nullable())))
                .filter(reviews::removed_at.is_not_null())
                .order((reviews::removed_at.desc(), reviews::id.desc()))
                .limit(i64::from(limit))
                .select((ReviewRow::as_select(), reviews::id, reviews::removed_at, accounts::email))
                .load(connection)?
                .into_iter()
                .map(hidden)
                .collect()
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

    async fn restore(&self, id: ReviewId) -> Result<bool, StoreError> {
        let restored = self
            .run(move |connection| {
                let restored = diesel::update(reviews::table.find(id.uuid()))
                    .filter(reviews::removed_at.is_not_null())
                    .set((reviews::removed_at.eq(None::<SqlTimestamp>), reviews::removed_by.eq(None::<Uuid>)))
                    .execute(connection)?;
                Ok(restored > 0)
            })
            .await?;
        self.note_reviews();
        Ok(restored)
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
    let (review, part) = (&new.review, new.review.part.as_ref());
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
            reviews::author.eq(review.author.as_ref().map(Text::as_str)),
            reviews::is_verified.eq(review.is_verified),
            reviews::product_id.eq(part.map(|part| part.id.uuid())),
            reviews::product_name.eq(part.map(|part| part.name.as_str())),
            reviews::part_number.eq(part.and_then(|part| part.part_number.as_ref()).map(Text::as_str)),
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
    let has_paid: bool = select(exists(paid_orders(by))).get_result(connection)?;
    Ok((!has_paid).then(|| last.to_jiff()))
}

/// The orders of an account that were paid. A refunded one counts: it was paid once.
#[diesel::dsl::auto_type]
fn paid_orders(account: AccountId) -> _ {
    let id: Uuid = account.uuid();
    // An index can use the second condition, which the first one implies.
    orders::table
        .filter(orders::buyer_id.eq(id))
        .filter(orders::payment_state.ne("unpaid"))
        .filter(orders::transaction_id.is_not_null())
}

fn hidden((review, id, at, by): (ReviewRow, Uuid, Option<SqlTimestamp>, String)) -> QueryResult<HiddenReview> {
    let decoder = RowDecoder { what: "review", id };
    Ok(HiddenReview {
        review: review.try_into()?,
        at: decoder.moment("removed_at", at)?,
        by: decoder.parse::<Email>("email", &by)?,
    })
}
