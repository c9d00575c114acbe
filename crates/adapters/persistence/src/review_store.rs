//! Reviews of the shop.

use async_trait::async_trait;
use diesel::prelude::*;
use domain::{AccountId, Review, ReviewId};
use jiff_diesel::ToDiesel;
use ports::{IdempotencyKey, ReviewStore, StoreError};
use uuid::Uuid;

use crate::Database;
use crate::idempotency::{self, same_request};
use crate::rows::{ReviewRow, all};
use crate::schema::reviews;

#[async_trait]
impl ReviewStore for Database {
    async fn add(&self, review: &Review, by: AccountId, once: Option<IdempotencyKey>) -> Result<ReviewId, StoreError> {
        let review = review.clone();
        let (once_key, once_fingerprint) = idempotency::columns(once);
        self.run(move |connection| {
            let added = diesel::insert_into(reviews::table)
                .values((
                    reviews::id.eq(review.id.uuid()),
                    reviews::account_id.eq(by.uuid()),
                    reviews::name.eq(review.name.as_str()),
                    reviews::details.eq(review.details.as_str()),
                    reviews::rating.eq(i16::from(review.rating.get())),
                    reviews::created_at.eq(review.created_at.to_diesel()),
                    reviews::once_key.eq(once_key.as_deref()),
                    reviews::once_fingerprint.eq(once_fingerprint),
                ))
                .on_conflict(reviews::once_key)
                .do_nothing()
                .execute(connection)?;
            if added > 0 {
                return Ok(review.id);
            }
            let (first, fingerprint): (Uuid, Option<Vec<u8>>) = reviews::table
                .filter(reviews::once_key.eq(once_key))
                .select((reviews::id, reviews::once_fingerprint))
                .first(connection)?;
            if let Some(once) = once {
                same_request(once, fingerprint.as_deref())?;
            }
            Ok(ReviewId::new(first))
        })
        .await
    }

    async fn latest(&self, limit: Option<u32>) -> Result<Vec<Review>, StoreError> {
        self.read_list(move |connection| {
            let mut latest: Vec<ReviewRow> = reviews::table
                .order((reviews::created_at.desc(), reviews::id.desc()))
                .limit(limit.map_or(i64::MAX, i64::from))
                .select(ReviewRow::as_select())
                .load(connection)?;
            latest.reverse();
            all(latest)
        })
        .await
    }
}
