//! Answers that are remembered.

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{Bytea, Timestamptz, Uuid as SqlUuid};
use domain::Timestamp;
use jiff_diesel::{Timestamp as SqlTimestamp, ToDiesel};
use ports::{AnswerStore, Claim, Claimed, OnceKey, SealedAnswer, StoreError};
use uuid::Uuid;

use crate::Database;
use crate::schema::answers;

/// How often a claim is tried that was given back between being refused and being looked at.
const TRIES: u32 = 3;

#[async_trait]
impl AnswerStore for Database {
    async fn claim(&self, claim: &Claim) -> Result<Claimed, StoreError> {
        let claim = claim.clone();
        self.run(move |connection| {
            for _ in 0..TRIES {
                if take(connection, &claim)? {
                    return Ok(Claimed::Ours);
                }
                let holder: Option<(Vec<u8>, Option<Vec<u8>>)> = answers::table
                    .find(claim.key.0.to_vec())
                    .select((answers::fingerprint, answers::sealed))
                    .first(connection)
                    .optional()?;
                match holder {
                    Some((fingerprint, _)) if fingerprint != claim.fingerprint.0 => {
                        return Ok(Claimed::Mismatch);
                    }
                    Some((_, Some(sealed))) => return Ok(Claimed::Answered(SealedAnswer(sealed))),
                    Some((_, None)) => return Ok(Claimed::Running),
                    None => {}
                }
            }
            Ok(Claimed::Running)
        })
        .await
    }

    async fn renew(&self, key: OnceKey, holder: Uuid, at: Timestamp) -> Result<(), StoreError> {
        self.run(move |connection| {
            diesel::update(answers::table.find(key.0.to_vec()))
                .filter(answers::holder.eq(holder))
                .filter(answers::sealed.is_null())
                .set(answers::claimed_at.eq(at.to_diesel()))
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn answered(&self, key: OnceKey, holder: Uuid, answer: &SealedAnswer) -> Result<(), StoreError> {
        let sealed = answer.0.clone();
        self.run(move |connection| {
            diesel::update(answers::table.find(key.0.to_vec()))
                .filter(answers::holder.eq(holder))
                .filter(answers::sealed.is_null())
                .set(answers::sealed.eq(sealed))
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn give_back(&self, key: OnceKey, holder: Uuid) -> Result<(), StoreError> {
        self.run(move |connection| {
            diesel::delete(answers::table.find(key.0.to_vec()))
                .filter(answers::holder.eq(holder))
                .filter(answers::sealed.is_null())
                .execute(connection)
                .map(drop)
        })
        .await
    }

    async fn forget(&self, before: Timestamp) -> Result<u64, StoreError> {
        self.run(move |connection| {
            let forgotten = diesel::delete(answers::table)
                .filter(answers::claimed_at.lt(before.to_diesel()))
                .execute(connection)?;
            Ok(u64::try_from(forgotten).unwrap_or(u64::MAX))
        })
        .await
    }
}

/// Takes a key that nobody has, or that the same request took and died over. The row's lock makes one of many the first;
/// the others see its claim and let it be.
fn take(connection: &mut PgConnection, claim: &Claim) -> QueryResult<bool> {
    let taken = diesel::sql_query(
        "INSERT INTO answers (key, fingerprint, holder, claimed_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, claimed_at = excluded.claimed_at
        WHERE answers.sealed IS NULL AND answers.claimed_at < $5 AND answers.fingerprint = excluded.fingerprint",
    )
    .bind::<Bytea, _>(claim.key.0.to_vec())
    .bind::<Bytea, _>(claim.fingerprint.0.to_vec())
    .bind::<SqlUuid, _>(claim.holder)
    .bind::<Timestamptz, SqlTimestamp>(claim.at.to_diesel())
    .bind::<Timestamptz, SqlTimestamp>(claim.dead_before.to_diesel())
    .execute(connection)?;
    Ok(taken > 0)
}
