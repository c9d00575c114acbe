//! Stored responses of idempotent requests.

use std::time::Duration;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::BigInt;
use ports::{Claim, Claimed, IdempotencyStore, KeyDigest, SealedResponse, StoreError};
use uuid::Uuid;

use crate::Database;
use crate::platform::db::millis;
use crate::platform::idempotency_claims::{Answering, Claiming};
use crate::schema::answers;

#[async_trait]
impl IdempotencyStore for Database {
    async fn claim(&self, claim: &Claim) -> Result<Claimed, StoreError> {
        self.share(Claiming(claim.clone())).await
    }

    async fn renew(&self, key: KeyDigest, holder: Uuid) -> Result<(), StoreError> {
        self.run(move |connection| {
            diesel::update(answers::table.find(key.0.to_vec()))
                .filter(answers::holder.eq(holder))
                .filter(answers::sealed.is_null())
                .set(answers::claimed_at.eq(diesel::dsl::now))
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn answered(&self, key: KeyDigest, holder: Uuid, answer: &SealedResponse) -> Result<(), StoreError> {
        self.share(Answering { key, holder, sealed: answer.0.clone() }).await
    }

    async fn give_back(&self, key: KeyDigest, holder: Uuid) -> Result<(), StoreError> {
        self.run(move |connection| {
            diesel::update(answers::table.find(key.0.to_vec()))
                .filter(answers::holder.eq(holder))
                .filter(answers::sealed.is_null())
                .set(answers::holder.eq(Uuid::nil()))
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn forget(&self, age: Duration, visitors_age: Duration, limit: u32) -> Result<u32, StoreError> {
        self.run(move |connection| {
            let forget = |connection: &mut PgConnection, whose: &str, age: Duration, limit: u32| {
                diesel::sql_query(format!(
                    "DELETE FROM answers WHERE key = ANY (ARRAY (
                        SELECT key FROM answers WHERE {whose} claimed_at < now() - $1 * interval '1 millisecond'
                        ORDER BY claimed_at LIMIT $2 FOR UPDATE SKIP LOCKED))"
                ))
                .bind::<BigInt, _>(millis(age))
                .bind::<BigInt, _>(i64::from(limit))
                .execute(connection)
                .map(|forgotten| u32::try_from(forgotten).unwrap_or(limit))
            };
            let old = forget(connection, "", age, limit)?;
            Ok(old + forget(connection, "visitor AND", visitors_age, limit - old.min(limit))?)
        })
        .await
    }
}
