//! Claims on idempotency keys and their responses, each kind in batches that share a transaction.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Bytea, Nullable, Uuid as SqlUuid};
use ports::{Claim, Claimed, IdempotencyKey, KeyDigest, SealedResponse};
use uuid::Uuid;

use crate::platform::db::{Batched, Call, Lane, answer_all, classify_error, is_retryable, millis, unavailable};
use crate::platform::idempotency::reused;
use crate::platform::sql_file::sql_file;

/// How often to try a claim whose key was released between the refusal and the lookup.
const TRIES: u32 = 3;

/// A claim that is to be made.
pub(crate) struct Claiming(pub(crate) Claim);

impl Batched for Claiming {
    type Outcome = Claimed;

    const LANE: Lane = Lane::Writes;

    fn key(&self) -> Option<[u8; 32]> {
        Some(self.0.key.0)
    }

    fn run(connection: &mut PgConnection, calls: Vec<Call<Self>>, _: bool) -> QueryResult<Vec<(Uuid, Call<Self>)>> {
        let claimed = claim_keys(connection, &calls);
        for_each(calls, claimed, |claiming| claim(connection, &claiming.0))
    }
}

/// A response that is to be stored.
pub(crate) struct Answering {
    pub(crate) key: KeyDigest,
    pub(crate) holder: Uuid,
    pub(crate) sealed: Vec<u8>,
}

impl Batched for Answering {
    type Outcome = ();

    const LANE: Lane = Lane::Writes;

    fn key(&self) -> Option<[u8; 32]> {
        Some(self.key.0)
    }

    fn run(connection: &mut PgConnection, calls: Vec<Call<Self>>, _: bool) -> QueryResult<Vec<(Uuid, Call<Self>)>> {
        let all: Vec<&Self> = calls.iter().map(|call| &call.work).collect();
        let stored = store_answers(connection, &all).map(|()| calls.iter().map(|_| Some(())).collect());
        for_each(calls, stored, |one| store_answers(connection, &[one]))
    }
}

/// Answers each call with its outcome; one without an outcome, or all if the batch failed, is run by itself.
fn for_each<W: Batched>(
    calls: Vec<Call<W>>,
    outcomes: QueryResult<Vec<Option<W::Outcome>>>,
    mut alone: impl FnMut(&W) -> QueryResult<W::Outcome>,
) -> QueryResult<Vec<(Uuid, Call<W>)>> {
    let outcomes = match outcomes {
        Ok(outcomes) => outcomes,
        Err(error) if is_retryable(&error) => {
            answer_all(calls, &unavailable(error.to_string()));
            return Err(error);
        }
        Err(error) => {
            tracing::warn!(%error, "a batch failed, and is tried one by one");
            calls.iter().map(|_| None).collect()
        }
    };
    for (call, outcome) in calls.into_iter().zip(outcomes) {
        match outcome.map_or_else(|| alone(&call.work), Ok) {
            Err(error) if is_retryable(&error) => {
                call.answer(Err(unavailable(error.to_string())));
                return Err(error);
            }
            outcome => call.answer(outcome.map_err(classify_error)),
        }
    }
    Ok(Vec::new())
}

/// The outcome of each claim; `None` if another transaction claimed the key a moment ago.
fn claim_keys(connection: &mut PgConnection, calls: &[Call<Claiming>]) -> QueryResult<Vec<Option<Claimed>>> {
    fn each<T>(calls: &[Call<Claiming>], value: impl Fn(&Claim) -> T) -> Vec<T> {
        calls.iter().map(|call| value(&call.work.0)).collect()
    }
    let rows: Vec<(bool, Option<Vec<u8>>, bool, bool)> =
        sql_file!("claim_keys.sql" => (Bool, Nullable<Bytea>, Bool, Bool), {
            keys: Array<Bytea> = each(calls, |claim| claim.key.0.to_vec()),
            request_fingerprints: Array<Bytea> = each(calls, |claim| claim.fingerprint.0.to_vec()),
            callers: Array<Nullable<SqlUuid>> = each(calls, |claim| claim.caller.map(domain::AccountId::uuid)),
            holders: Array<SqlUuid> = each(calls, |claim| claim.holder),
            are_visitors: Array<Bool> = each(calls, |claim| claim.caller.is_none()),
            leases_ms: Array<BigInt> = each(calls, |claim| millis(claim.lease)),
        })
        .load(connection)?;
    let claimed = |(is_mismatch, sealed, is_running, is_claimed): (bool, Option<Vec<u8>>, bool, bool)| match sealed {
        _ if is_mismatch => Some(Claimed::Mismatch),
        Some(sealed) => Some(Claimed::Answered(SealedResponse(sealed))),
        None if is_running => Some(Claimed::Running),
        None => is_claimed.then_some(Claimed::Ours),
    };
    Ok(rows.into_iter().map(claimed).collect())
}

fn store_answers(connection: &mut PgConnection, answers: &[&Answering]) -> QueryResult<()> {
    sql_file!("store_answers.sql", {
        keys: Array<Bytea> = answers.iter().map(|one| one.key.0.to_vec()).collect::<Vec<_>>(),
        holders: Array<SqlUuid> = answers.iter().map(|one| one.holder).collect::<Vec<_>>(),
        responses: Array<Bytea> = answers.iter().map(|one| one.sealed.as_slice()).collect::<Vec<_>>(),
    })
    .execute(connection)
    .map(drop)
}

/// A claim by itself.
fn claim(connection: &mut PgConnection, claim: &Claim) -> QueryResult<Claimed> {
    for _ in 0..TRIES {
        if let Some(known) = look_up(connection, claim)? {
            return Ok(known);
        }
        if claim_key(connection, claim)? {
            return Ok(Claimed::Ours);
        }
    }
    Ok(Claimed::Running)
}

/// What is known of a key; `None` if it is free: unused, or abandoned without a response by the same request.
fn look_up(connection: &mut PgConnection, claim: &Claim) -> QueryResult<Option<Claimed>> {
    let rows = known(connection, claim.key, claim.caller.map(domain::AccountId::uuid), millis(claim.lease))?;
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

/// Refuses a key under which anything is known, for a request that has neither claimed it nor made anything under it.
pub(crate) fn unknown(connection: &mut PgConnection, key: IdempotencyKey, caller: Option<Uuid>) -> QueryResult<()> {
    if known(connection, key.key, caller, 0)?.is_empty() { Ok(()) } else { Err(reused()) }
}

/// What is stored under a key. Whoever has claimed it runs if that was less than the lease ago.
fn known(
    connection: &mut PgConnection,
    key: KeyDigest,
    caller: Option<Uuid>,
    lease_ms: i64,
) -> QueryResult<Vec<Known>> {
    sql_file!("look_up_key.sql" => (Nullable<Bytea>, Nullable<Bytea>, Bool), {
        key: Bytea = key.0.to_vec(),
        caller: Nullable<SqlUuid> = caller,
        lease_ms: BigInt = lease_ms,
    })
    .load(connection)
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
