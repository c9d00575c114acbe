//! Stored responses of idempotent requests.

use std::time::Duration;

use async_trait::async_trait;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Bytea, Nullable, Uuid as SqlUuid};
use ports::{Claim, Claimed, IdempotencyStore, KeyDigest, SealedResponse, StoreError};
use uuid::Uuid;

use crate::Database;
use crate::platform::db::millis;
use crate::platform::sql_file::sql_file;
use crate::schema::answers;

/// How often to try a claim whose key was released between the refusal and the lookup.
const TRIES: u32 = 3;

#[async_trait]
impl IdempotencyStore for Database {
    async fn claim(&self, claim: &Claim) -> Result<Claimed, StoreError> {
        let claim = claim.clone();
        self.run(move |connection| {
            for _ in 0..TRIES {
                if let Some(known) = look_up(connection, &claim)? {
                    return Ok(known);
                }
                if claim_key(connection, &claim)? {
                    return Ok(Claimed::Ours);
                }
            }
            Ok(Claimed::Running)
        })
        .await
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

/// What is known of a key; `None` if it is free: unused, or abandoned without a response by the same request.
fn look_up(connection: &mut PgConnection, claim: &Claim) -> QueryResult<Option<Claimed>> {
    let rows: Vec<Known> = sql_file!("look_up_key.sql" => (Nullable<Bytea>, Nullable<Bytea>, Bool), {
        key: Bytea = claim.key.0.to_vec(),
        caller: Nullable<SqlUuid> = claim.caller.map(domain::AccountId::uuid),
        lease_ms: BigInt = millis(claim.lease),
    })
    .load(connection)?;
    for (fingerprint, _, _) in &rows {
        // Stored before there were fingerprints: counts as the same request.
        if fingerprint.as_ref().is_some_and(|fingerprint| fingerprint != &claim.fingerprint.0) {
            return Ok(Some(Claimed::Mismatch));
        }
    }
    Ok(rows.into_iter().find_map(|(_, sealed, alive)| match sealed {
        Some(sealed) => Some(Claimed::Answered(SealedResponse(sealed))),
        None => alive.then_some(Claimed::Running),
    }))
}

/// A fingerprint, a sealed response, and whether the request is running.
type Known = (Option<Vec<u8>>, Option<Vec<u8>>, bool);

fn claim_key(connection: &mut PgConnection, claim: &Claim) -> QueryResult<bool> {
    let taken = sql_file!("claim_key.sql", {
        key: Bytea = claim.key.0.to_vec(),
        request_fingerprint: Bytea = claim.fingerprint.0.to_vec(),
        holder: SqlUuid = claim.holder,
        is_visitor: Bool = claim.caller.is_none(),
        lease_ms: BigInt = millis(claim.lease),
    })
    .execute(connection)?;
    Ok(taken > 0)
}
