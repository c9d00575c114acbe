//! Stored responses of idempotent requests.

use std::time::Duration;

use async_trait::async_trait;
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::sql_types::{BigInt, Bool, Bytea, Nullable, Uuid as SqlUuid};
use ports::{Claim, Claimed, IdempotencyStore, KeyDigest, SealedResponse, StoreError};
use uuid::Uuid;

use crate::Database;
use crate::platform::db::millis;
use crate::schema::answers;

/// How often to try a claim whose key was released between the refusal and the lookup.
const TRIES: u32 = 3;

#[async_trait]
impl IdempotencyStore for Database {
    async fn claim(&self, claim: &Claim) -> Result<Claimed, StoreError> {
        let claim = claim.clone();
        self.run(move |connection| {
            for _ in 0..TRIES {
                if let Some(known) = look(connection, &claim)? {
                    return Ok(known);
                }
                if take(connection, &claim)? {
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
fn look(connection: &mut PgConnection, claim: &Claim) -> QueryResult<Option<Claimed>> {
    let rows: Vec<Known> = Look::new(claim).load(connection)?;
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

/// Everything that is stored under a key: the request that is running or has a response, and what was created under it.
/// Rows of [`Known`].
#[derive(Debug)]
struct Look {
    key: Vec<u8>,
    caller: Option<Uuid>,
    lease: i64,
}

impl Look {
    fn new(claim: &Claim) -> Self {
        let caller = claim.caller.map(domain::AccountId::uuid);
        Self { key: claim.key.0.to_vec(), caller, lease: millis(claim.lease) }
    }
}

impl QueryFragment<Pg> for Look {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_sql(
            "SELECT fingerprint, sealed, holder <> '00000000-0000-0000-0000-000000000000' AND claimed_at >= \
             clock_timestamp() - interval '1 millisecond' * ",
        );
        out.push_bind_param::<BigInt, _>(&self.lease)?;
        out.push_sql(" FROM answers WHERE key = ");
        out.push_bind_param::<Bytea, _>(&self.key)?;
        out.push_sql(" UNION ALL SELECT once_fingerprint, NULL, false FROM orders WHERE buyer_id = ");
        out.push_bind_param::<Nullable<SqlUuid>, _>(&self.caller)?;
        out.push_sql(" AND once_key = ");
        out.push_bind_param::<Bytea, _>(&self.key)?;
        for table in ["restockings", "products", "reviews", "imports", "webhook_endpoints"] {
            out.push_sql(" UNION ALL SELECT once_fingerprint, NULL, false FROM ");
            out.push_sql(table);
            out.push_sql(" WHERE once_key = ");
            out.push_bind_param::<Bytea, _>(&self.key)?;
        }
        Ok(())
    }
}

impl QueryId for Look {
    type QueryId = Self;
    const HAS_STATIC_QUERY_ID: bool = true;
}

impl Query for Look {
    type SqlType = (Nullable<Bytea>, Nullable<Bytea>, Bool);
}

impl RunQueryDsl<PgConnection> for Look {}

/// Claims a free key. The row lock lets one of several concurrent requests win; the others see its claim and leave it
/// alone.
fn take(connection: &mut PgConnection, claim: &Claim) -> QueryResult<bool> {
    let taken = diesel::sql_query(
        "INSERT INTO answers (key, fingerprint, holder, claimed_at, visitor) VALUES ($1, $2, $3, clock_timestamp(), $4)
        ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, claimed_at = excluded.claimed_at
        WHERE answers.sealed IS NULL AND answers.fingerprint = excluded.fingerprint
            AND (answers.holder = '00000000-0000-0000-0000-000000000000'
                OR answers.claimed_at < clock_timestamp() - $5 * interval '1 millisecond')",
    )
    .bind::<Bytea, _>(claim.key.0.to_vec())
    .bind::<Bytea, _>(claim.fingerprint.0.to_vec())
    .bind::<SqlUuid, _>(claim.holder)
    .bind::<Bool, _>(claim.caller.is_none())
    .bind::<BigInt, _>(millis(claim.lease))
    .execute(connection)?;
    Ok(taken > 0)
}
